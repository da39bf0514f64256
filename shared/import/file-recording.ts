/** The recordings of an imported file, before they are matched to an account's maps and runs. */
import type { FieldError } from '../schema/field-errors.ts';
import type { RecordingStep } from '../schema/recording.ts';

export interface FileRecording {
  /** The line of the recording's first step. */
  line: number;
  map: MapReference;
  /** The file's names of the columns of the map. */
  mapColumns: Record<keyof MapReference, string>;
  /** The key that distinguishes the recording from others in the file. */
  key: RecordingKey;
  keyColumn: string;
  started_at: string | undefined;
  /** The file's name of the column with the start. */
  startColumn: string;
  steps: RecordingStep[];
}

export interface RecordingKey {
  /**
   * If the column is `recording_session_id`, the text is the recording session's id. From other keys the id is derived.
   */
  column: 'recording_session_id' | 'case_id' | 'run_id' | 'run_number';
  text: string;
}

/** The map as the file names it, by id, by name or both. The id counts first. Absent ones are empty. */
export interface MapReference {
  id: string;
  name: string;
}

/** Validates by the schemas of the REST routes, which the server and a device compile differently. */
export interface ImportChecks {
  step(step: unknown): FieldError[];
  /** Validates the body of a recording. */
  recording(recording: unknown): FieldError[];
  newMap(map: unknown): FieldError[];
}
