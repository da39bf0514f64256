/**
 * Between rows and documents: a map is its record and its stages, a run its record and its steps. They are kept as the JSON
 * text that was written, so that what is read has its fields in the order in which it was first answered.
 */
import type { MapDoc, MapRecord } from '../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../shared/schema/run.ts';
import type { RunRow } from './store.ts';

export interface MapText {
  /** Records that were written before they had it lack it. */
  created_version: number;
  record: string;
  stages: string;
}

/** Both null when the run is deleted. */
export interface RunText {
  record: string | null;
  steps: string | null;
}

export interface RunRowText extends Omit<RunRow, 'doc' | 'made_map' | 'map_then' | 'stage_ids'>, RunText {
  /** SQLite's truth values are 0 and 1. */
  made_map: boolean | number;
  map_then: string;
  stage_ids: string;
}

export function mapDoc({ created_version, record, stages }: MapText): MapDoc {
  return { ...mapOfList({ created_version, record }), stages: JSON.parse(stages) };
}

export function mapOfList({ created_version, record }: Omit<MapText, 'stages'>): MapRecord {
  return { ...JSON.parse(record), created_version };
}

export function mapParts({ stages, ...record }: MapDoc): { record: MapRecord; stages: MapDoc['stages'] } {
  return { record, stages };
}

export function runDoc({ record, steps }: RunText): RunDoc | null {
  return record === null || steps === null ? null : { ...JSON.parse(record), steps: JSON.parse(steps) };
}

export function runParts(
  doc: RunDoc | null,
): { record: RunRecord; steps: RunDoc['steps'] } | { record: null; steps: null } {
  if (!doc) return { record: null, steps: null };
  const { steps, ...record } = doc;
  return { record, steps };
}

export function runRow({ record, steps, ...row }: RunRowText): RunRow {
  return {
    ...row,
    made_map: Boolean(row.made_map),
    map_then: JSON.parse(row.map_then),
    stage_ids: JSON.parse(row.stage_ids),
    doc: runDoc({ record, steps }),
  };
}
