/** The recordings of an imported file, before anybody knows which maps and runs an account has. */
import type { FieldError } from '../schema/field-errors.ts';
import type { RecordingStep } from '../schema/recording.ts';

export interface FileRecording {
  /** The line of its first step. */
  line: number;
  map: MapReference;
  /** The names of the columns of the map in the file. */
  mapColumns: Record<keyof MapReference, string>;
  /** The text by which the file tells its recordings apart. */
  key: RecordingKey;
  keyColumn: string;
  started_at: string | undefined;
  /** The name of the column from which the start is. */
  startColumn: string;
  steps: RecordingStep[];
}

export interface RecordingKey {
  /** A `recording_session_id` names the recording session itself; from any other key its id is derived. */
  column: 'recording_session_id' | 'case_id' | 'run_id' | 'run_number';
  text: string;
}

/** A file may have both, of which the id comes first. Empty texts are absent. */
export interface MapReference {
  id: string;
  name: string;
}

/** The schemas of the REST routes, as the server and a device compile them. */
export interface ImportChecks {
  step(step: unknown): FieldError[];
  /** The body of a recording. */
  recording(recording: unknown): FieldError[];
  newMap(map: unknown): FieldError[];
}
