/** The input of all export formats: runs with their steps, the oldest first, each with its map's name. */
import type { RunDoc } from '../schema/run.ts';

export interface ExportedRun {
  run: RunDoc;
  mapName: string;
}

/** Reads the runs. Each call begins at the start and yields the same runs, since one format reads them twice. */
export type RunSource = () => AsyncIterable<ExportedRun>;

/** Compares two runs by the time of their arrival, which is the order of an export. */
export function byArrival(a: { created_at: string; id: number }, b: { created_at: string; id: number }): number {
  return Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id;
}
