/** A view of an account's runs at one version, so that several reads fit together while other requests write. */
import type { RunDoc } from '../../../shared/schema/run.ts';
import { parseUndeletedRunDoc, type UndeletedRunText } from '../rows/documents.ts';

/** A run that is not deleted, without what may have megabytes. */
export interface RunSummary {
  id: number;
  map_id: string;
  /** Counts the runs of the map. */
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
  /** Lists those of the runs that exist, in any order. */
  summaries(ids: readonly number[]): Promise<RunSummary[]>;
  /** Reads those of the runs that exist, in any order. The caller bounds their bytes. */
  load(ids: readonly number[]): Promise<RunWithMapName[]>;
}

export interface SummaryText extends Omit<RunSummary, 'step_count' | 'isMapDeleted'> {
  /** A number on SQLite. */
  step_count: string | number;
  /** A boolean on PostgreSQL, 0 or 1 on SQLite. */
  map_deleted: boolean | number;
}

export const parseSummary = ({ step_count, map_deleted, ...row }: SummaryText): RunSummary => ({
  ...row,
  step_count: Number(step_count),
  isMapDeleted: Boolean(map_deleted),
});

export type RunWithMapNameText = UndeletedRunText & { map_name: string };

export const parseRunWithMapName = ({ map_name, ...texts }: RunWithMapNameText): RunWithMapName => ({
  run: parseUndeletedRunDoc(texts),
  mapName: map_name,
});
