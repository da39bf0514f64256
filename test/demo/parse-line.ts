/** Parses one line of the file into a recording, or says why it is none. */
import { fingerprintText } from '../../shared/domain/recording-fingerprint.ts';
import type { RecordingBody } from '../../shared/schema/recording.ts';

export type SessionRecording = RecordingBody & { recording_session_id: string };

export type Parsed = { recording: SessionRecording } | { broken: string };

/** The engine checks the shape by the schemas; this function checks the rest. */
export function parseLine(text: string | undefined): Parsed {
  if (text === undefined) return { broken: 'not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { broken: 'not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { broken: 'not a JSON object' };
  // A recording without an id would become another run each time the file is replayed.
  if (!('recording_session_id' in value)) return { broken: 'no recording_session_id' };
  return { recording: value as SessionRecording };
}

/** Remembers the sessions so far, to find lines that repeat or contradict an earlier one. */
export class Sessions {
  readonly #seen = new Map<string, { line: number; steps: string }>();

  /** The reason to skip the line; undefined if its session is new. */
  repeated({ recording_session_id, steps }: SessionRecording): string | undefined {
    const first = this.#seen.get(recording_session_id);
    if (!first) return undefined;
    const same = Array.isArray(steps) && first.steps === fingerprint(steps);
    return `${recording_session_id} stands in line ${first.line} already, with ${same ? 'the same' : 'other'} steps`;
  }

  add({ recording_session_id, steps }: SessionRecording, line: number): void {
    this.#seen.set(recording_session_id, { line, steps: fingerprint(steps) });
  }
}

const fingerprint = (steps: RecordingBody['steps']): string => fingerprintText({ newMapName: '' }, steps);
