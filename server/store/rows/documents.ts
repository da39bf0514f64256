/**
 * Converts between stored rows and documents. The document of a map is its record with its stages. The document of a
 * run is its record with its steps. All parts are stored as JSON text, so that a read returns the fields in the order
 * of the write.
 */
import type { MapDoc, MapRecord } from '../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import type { Stage } from '../../../shared/schema/stage.ts';

/**
 * The row of a run. The row remains after the run is deleted. The id, the number and the recording session of the run
 * are therefore not used again, and a repeated upload gets the result of the first upload.
 */
export interface RunRow {
  id: number;
  map_id: string;
  number: number;
  created_at: string;
  version: number;
  recording_session_id: string;
  /** SHA-256 in hex of the recording's target and steps. */
  fingerprint: string;
  /** True if the recording also made the map. */
  made_map: boolean;
  /**
   * The map right after the recording. The stages are left out if they can be computed from the steps and `stage_ids`.
   */
  map_then: MapRecord & { stages?: Stage[] };
  /** The ids of the stages that the steps became, in order; empty if `map_then` has the stages. */
  stage_ids: number[];
  /** The approximate size of the run in the store. */
  bytes: number;
  /** null if the run is deleted. */
  doc: RunDoc | null;
}

/** The row of a run, loaded without its steps, which may have megabytes. */
export interface RunRowWithoutSteps extends Omit<RunRow, 'doc'> {
  doc: RunRecord | null;
}

export interface MapDocColumns {
  /**
   * The column exists beside `record`, since records that an earlier version of the server wrote lack
   * `created_version`.
   */
  created_version: number;
  record: string;
  stages: string;
}

/** Both columns are null if the run is deleted. */
export interface RunDocColumns {
  record: string | null;
  steps: string | null;
}

export interface UndeletedRunColumns {
  record: string;
  steps: string;
}

export interface RunRowColumns extends Omit<RunRow, 'doc' | 'made_map' | 'map_then' | 'stage_ids'>, RunDocColumns {
  /** A boolean on PostgreSQL, 0 or 1 on SQLite. */
  made_map: boolean | number;
  map_then: string;
  stage_ids: string;
}

export type RunRowColumnsWithoutSteps = Omit<RunRowColumns, 'steps'>;

export function parseMapDoc({ created_version, record, stages }: MapDocColumns): MapDoc {
  return { ...parseMapRecord({ created_version, record }), stages: JSON.parse(stages) };
}

export function parseMapRecord({ created_version, record }: Omit<MapDocColumns, 'stages'>): MapRecord {
  return { ...JSON.parse(record), created_version };
}

export function toMapColumns({ stages, ...record }: MapDoc): { record: MapRecord; stages: MapDoc['stages'] } {
  return { record, stages };
}

export function parseRunDoc({ record, steps }: RunDocColumns): RunDoc | null {
  return record === null || steps === null ? null : parseUndeletedRunDoc({ record, steps });
}

export function parseUndeletedRunDoc({ record, steps }: UndeletedRunColumns): RunDoc {
  const stored: StoredSteps = JSON.parse(steps);
  return { ...JSON.parse(record), ...(Array.isArray(stored) ? { steps: stored } : stored) };
}

/** The column `steps`: a list or, after a correction, an object that also has the recorded steps. */
type StoredSteps = RunDoc['steps'] | Pick<RunDoc, 'steps' | 'recorded_steps'>;

export function toRunColumns(
  doc: RunDoc | null,
): { record: RunRecord; steps: StoredSteps } | { record: null; steps: null } {
  if (!doc) return { record: null, steps: null };
  const { steps, recorded_steps, ...record } = doc;
  return { record, steps: recorded_steps ? { steps, recorded_steps } : steps };
}

export function parseRunRow({ record, steps, ...row }: RunRowColumns): RunRow {
  return { ...parseRunRowFields(row), doc: parseRunDoc({ record, steps }) };
}

export function parseRunRowWithoutSteps({ record, ...row }: RunRowColumnsWithoutSteps): RunRowWithoutSteps {
  return { ...parseRunRowFields(row), doc: record === null ? null : JSON.parse(record) };
}

function parseRunRowFields(row: Omit<RunRowColumnsWithoutSteps, 'record'>): Omit<RunRow, 'doc'> {
  return {
    ...row,
    made_map: Boolean(row.made_map),
    map_then: JSON.parse(row.map_then),
    stage_ids: JSON.parse(row.stage_ids),
  };
}
