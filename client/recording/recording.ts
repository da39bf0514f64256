import type { WorkType } from '../../shared/schema/fields.ts';
import type { StagesMode } from '../../shared/schema/recording.ts';
import { isoTime } from '../core/clock.ts';
import type { Draft, RecordedStep } from './draft.ts';

/** The map to record: an existing map, or a new one that the recording creates. */
export type RecordingTarget = { mapId: string } | { newMap: { name: string } };

/** The fields of a new step: a name of 1 to 200 characters, and notes of up to 10,000. */
export interface StepFields {
  stage_name: string;
  work_type?: WorkType;
  notes?: string;
}

export interface FinishOptions {
  /** Decides what happens to the map's stages. Default: `replace`. */
  stages?: StagesMode;
  /**
   * Delays the upload by this time, up to 60,000 ms, so that `unfinish` can undo the finish. The next opening of the
   * engine, or the next start of a recording, ends the delay early. Default: 0.
   */
  undoMs?: number;
}

/** The ids of a finished recording and its run. The server uses the same ids. */
export interface Finished {
  recording_session_id: string;
  run_id: number;
  map_id: string;
}

/** The verbs of a recording under way. Each resolves when its effect is durable on the device. */
export interface RecordingVerbs {
  /** Ends the current step and begins a new one. */
  step(fields: StepFields): Promise<void>;
  /** Adds a line to the notes of the current step. */
  note(text: string): Promise<void>;
  /** Removes the last step or note. If a step was removed, the step before it continues. */
  undo(): Promise<void>;
  /** Ends the current step and moves the recording into the outbox. The server makes it a run. */
  finish(options?: FinishOptions): Promise<Finished>;
  /** Undoes a finish before its `undoMs` are over. The last step continues as if it had never ended. */
  unfinish(): Promise<void>;
  /** Ends the recording without making a run. `restoreRecording` can continue the recording. */
  discard(): Promise<void>;
}

/** The content of a recording at the time of its emission. */
export interface Recorded {
  recording_session_id: string;
  map_id: string;
  /** The name of the map that the recording creates; null if it records an existing map. */
  new_map_name: string | null;
  /** When the recording started, by this device's clock. */
  started_at: string;
  steps: RecordedStep[];
}

/** The recording under way, with its verbs. */
export type Recording = Recorded & RecordingVerbs;

/** A discarded recording, which can be restored. */
export interface Discarded extends Recorded {
  discarded_at: string;
}

export function toRecorded(draft: Draft): Recorded {
  const { recording_session_id, map_id, new_map_name, at } = draft.started;
  return {
    recording_session_id,
    map_id,
    new_map_name,
    started_at: isoTime(at.wall_ms),
    steps: draft.steps.map(({ recorded }) => recorded),
  };
}
