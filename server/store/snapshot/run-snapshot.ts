/**
 * A snapshot shows an account's runs at one version: its reads are consistent, although other requests write meanwhile.
 */
import type { RunDoc } from '../../../shared/schema/run.ts';
import { parseUndeletedRunDoc, type UndeletedRunColumns } from '../rows/documents.ts';

/** An undeleted run without its steps, which may have megabytes. */
export interface RunSummary {
  id: number;
  map_id: string;
  /** The run's number within its map. */
  number: number;
  created_at: string;
  started_at: string | null;
  step_count: number;
  /** The approximate size of the run in the store. */
  bytes: number;
  /** True if the map is in the recycle bin. */
  isMapDeleted: boolean;
}

export interface RunWithMapName {
  run: RunDoc;
  mapName: string;
}

export interface RunSnapshot {
  /** Lists the runs of the account in the order in which they arrived. */
  runsOfAccount(query: { after?: Pick<RunSummary, 'created_at' | 'id'>; limit: number }): Promise<RunSummary[]>;
  /** Lists the runs of a map in the order of their numbers. */
  runsOfMap(query: { mapId: string; after?: number; limit: number }): Promise<RunSummary[]>;
  /** Returns summaries of the runs with these ids, in any order. Ids without a run are left out. */
  summaries(ids: readonly number[]): Promise<RunSummary[]>;
  /** Loads the runs with these ids, in any order. Ids without a run are left out. The caller limits the total size. */
  load(ids: readonly number[]): Promise<RunWithMapName[]>;
}

export interface RunSummaryColumns extends Omit<RunSummary, 'step_count' | 'isMapDeleted'> {
  /** Text on PostgreSQL, a number on SQLite. */
  step_count: string | number;
  /** A boolean on PostgreSQL, 0 or 1 on SQLite. */
  map_deleted: boolean | number;
}

export const parseRunSummary = ({ step_count, map_deleted, ...row }: RunSummaryColumns): RunSummary => ({
  ...row,
  step_count: Number(step_count),
  isMapDeleted: Boolean(map_deleted),
});

export type RunWithMapNameColumns = UndeletedRunColumns & { map_name: string };

export const parseRunWithMapName = ({ map_name, ...texts }: RunWithMapNameColumns): RunWithMapName => ({
  run: parseUndeletedRunDoc(texts),
  mapName: map_name,
});
