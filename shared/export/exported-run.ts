/** The input of all formats: runs with their steps, oldest first, each with the name of its map. */
import type { RunDoc } from '../schema/run.ts';

export interface ExportedRun {
  run: RunDoc;
  mapName: string;
}

/** Reads the runs from the start, the same ones at each call, since one format goes through them twice. */
export type RunSource = () => AsyncIterable<ExportedRun>;

/** The order of the runs of an export: by the time at which they arrived. */
export function byArrival(a: { created_at: string; id: number }, b: { created_at: string; id: number }): number {
  return Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id;
}
