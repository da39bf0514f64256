import type { WorkType } from '../../shared/schema/fields.ts';
import { isoTime } from '../core/clock.ts';
import type { Draft, RecordedStep } from './draft.ts';

/** The map that a recording is for: an existing one, or a new one that the recording makes. */
export type RecordingTarget = { mapId: string } | { newMap: { name: string } };

/** A step as the worker begins it: a name of 1 to 200 characters, notes of up to 10,000. */
export interface StepFields {
  stage_name: string;
  work_type?: WorkType;
  notes?: string;
}

/** The ids that the run of a finished recording has for good, here and on the server. */
export interface Finished {
  recording_session_id: string;
  run_id: number;
  map_id: string;
}

/** The verbs of a recording under way. Each resolves when its effect is durable on the device. */
export interface RecordingVerbs {
  /** Ends the step under way and begins this one. */
  step(fields: StepFields): Promise<void>;
  /** Adds a line to the notes of the step under way. */
  note(text: string): Promise<void>;
  /** Takes back the last step or note; the step before is under way again. */
  undo(): Promise<void>;
  /** Ends the step under way; the recording goes into the outbox and becomes a run. */
  finish(): Promise<Finished>;
  /** Ends the recording without a run; `restoreRecording` takes it up again. */
  discard(): Promise<void>;
}

/** A recording, as it stood at one moment. */
export interface Recorded {
  recording_session_id: string;
  map_id: string;
  /** Null when it records an existing map. */
  new_map_name: string | null;
  /** The time by this device's clock. */
  started_at: string;
  steps: RecordedStep[];
}

/** A recording under way. */
export type Recording = Recorded & RecordingVerbs;

/** A discarded recording. */
export interface Discarded extends Recorded {
  discarded_at: string;
}

export function recordedOf(draft: Draft): Recorded {
  const { recording_session_id, map_id, new_map_name, at } = draft.started;
  return {
    recording_session_id,
    map_id,
    new_map_name,
    started_at: isoTime(at.wall_ms),
    steps: draft.steps.map(({ recorded }) => recorded),
  };
}
