/** Between rows and documents: a map is its record and its stages, a run its record and its steps. */
import type { MapDoc, MapRecord } from '../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import type { RunRow } from '../store.ts';

export interface MapColumns {
  record: MapRecord;
  stages: MapDoc['stages'];
}

export interface RunColumns {
  record: RunRecord | null;
  steps: RunDoc['steps'] | null;
}

export type RunRowColumns = Omit<RunRow, 'doc'> & RunColumns;

export function mapDoc({ record, stages }: MapColumns): MapDoc {
  return { ...record, stages };
}

export function mapColumns({ stages, ...record }: MapDoc): MapColumns {
  return { record, stages };
}

export function runDoc({ record, steps }: RunColumns): RunDoc | null {
  return record && steps && { ...record, steps };
}

export function runColumns(doc: RunDoc | null): RunColumns {
  if (!doc) return { record: null, steps: null };
  const { steps, ...record } = doc;
  return { record, steps };
}

export function runRow({ record, steps, ...row }: RunRowColumns): RunRow {
  return { ...row, doc: runDoc({ record, steps }) };
}
