/** The recordings of an imported file, before they are matched to an account's maps and runs. */
import type { FieldError } from '../schema/field-errors.ts';
import type { RecordingStep } from '../schema/recording.ts';

export interface FileRecording {
  /** The line of the recording's first step. */
  line: number;
  map: MapReference;
  /** The names that the file gives to the columns of the map's id and name. */
  mapColumns: Record<keyof MapReference, string>;
  /** The key that distinguishes the recording from others in the file. */
  key: RecordingKey;
  keyColumn: string;
  started_at: string | undefined;
  /** The name that the file gives to the column of the start. */
  startColumn: string;
  steps: RecordingStep[];
}

export interface RecordingKey {
  /**
   * If the column is `recording_session_id`, `text` is the id of the recording session. Otherwise the import derives
   * that id from the key and the content.
   */
  column: 'recording_session_id' | 'case_id' | 'run_id' | 'run_number';
  text: string;
}

/** The map as the file names it. An absent id or name is an empty text. If both are given, a known id decides. */
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
