/** Between rows and documents: a map is its record and its stages, a run its record and its steps. */
import type { MapDoc } from '../../../shared/schema/map.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import type { RunRow } from '../store.ts';

export interface MapColumns {
  record: string;
  stages: string;
}

export interface RunColumns {
  record: string | null;
  steps: string | null;
}

export interface RunRowColumns extends Omit<RunRow, 'doc' | 'made_map' | 'map_then' | 'stage_ids'>, RunColumns {
  made_map: number;
  map_then: string;
  stage_ids: string;
}

/** What `runRow` needs. */
export const runRowColumns =
  'id, map_id, number, created_at, version, recording_session_id, fingerprint, made_map, map_then, stage_ids, record, steps';

export function mapDoc({ record, stages }: MapColumns): MapDoc {
  return { ...JSON.parse(record), stages: JSON.parse(stages) };
}

export function mapColumns({ stages, ...record }: MapDoc): MapColumns {
  return { record: JSON.stringify(record), stages: JSON.stringify(stages) };
}

export function runDoc({ record, steps }: RunColumns): RunDoc | null {
  return record === null || steps === null ? null : { ...JSON.parse(record), steps: JSON.parse(steps) };
}

export function runColumns(doc: RunDoc | null): RunColumns {
  if (!doc) return { record: null, steps: null };
  const { steps, ...record } = doc;
  return { record: JSON.stringify(record), steps: JSON.stringify(steps) };
}

export function runRow({ record, steps, ...row }: RunRowColumns): RunRow {
  return {
    ...row,
    made_map: row.made_map === 1,
    map_then: JSON.parse(row.map_then),
    stage_ids: JSON.parse(row.stage_ids),
    doc: runDoc({ record, steps }),
  };
}
