import type { WorkType } from '../../shared/schema/fields.ts';
import type { StagesMode } from '../../shared/schema/recording.ts';
import { isoTime } from '../core/clock.ts';
import type { Draft } from './draft.ts';
import { lapMeasurerUntil, partsMsOf, type LapPart, type RecordedStep } from './draft-step.ts';
import { undoKinds, type Undoable } from './taps/undoable-taps.ts';

/** The map to record: an existing map, or a new one that the recording creates. */
export type RecordingTarget = { mapId: string } | { newMap: { name: string } };

/** The fields of a new step: a name of 1 to 200 characters, and notes of up to 10,000. */
export interface StepFields {
  stage_name: string;
  work_type?: WorkType;
  notes?: string;
  /**
   * True for a step that is no stage of the process, such as an interruption or the time between two cycles. The run
   * gets the step, but the map gets no stage from it. Default: false.
   */
  interruption?: boolean;
}

/**
 * Identifies a step by its index in `steps` and by its start. An edit is refused if the step at this index now has
 * another start.
 */
export interface StepPosition {
  index: number;
  started_at: string;
}

/** The changes of a step. Fields that are left out stay as they are. */
export type StepEdit = Partial<Pick<StepFields, 'stage_name' | 'work_type' | 'notes'>>;

export interface FinishOptions {
  /** Decides what happens to the map's stages. Default: `replace`. */
  stages?: StagesMode;
  /**
   * Delays the move into the outbox by so many ms, at most 60,000, for `unfinish`. Default: 0. The delay ends early at
   * the next `startRecording`, `restoreRecording` or `finish` without `undoMs`. An export ends it for earlier cycles.
   */
  undoMs?: number;
}

/** The ids of a finished recording and of the run that it becomes. The server uses the same ids. */
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
  /**
   * Takes back the tap that `undoes` describes. At the first step of a next cycle, an undo returns to the previous
   * cycle, unless that cycle is in the outbox.
   */
  undo(): Promise<void>;
  /** Changes the name, the work type or the notes of a step. */
  edit(step: StepPosition, edit: StepEdit): Promise<void>;
  /**
   * Splits the step after its first `at_secs` seconds. The rest becomes a new step with the name `stage_name`, by
   * default the name of the step.
   */
  split(step: StepPosition, at: { at_secs: number; stage_name?: string }): Promise<void>;
  /** Joins the step with the next step. The joined step keeps the name and the work type of the first. */
  join(step: StepPosition): Promise<void>;
  /** Moves the border between the step and the next step later by `secs`, or earlier if `secs` is negative. */
  moveBorder(step: StepPosition, by: { secs: number }): Promise<void>;
  /**
   * Adds a picture to the step under way at this moment. Resolves to `{ id }`: `sha256:` and the SHA-256 of the encoded
   * picture. Errors: `photo_limit`, `photo_unreadable`, `storage_full`.
   */
  photo(picture: Blob): Promise<TakenPhoto>;
  /** Removes a photo from a step. The device does not send the photo, unless another recording has it. */
  removePhoto(step: StepPosition, photoId: string): Promise<void>;
  /** Stops the clock. The time until `resume`, or until the next step, belongs to no step. */
  pause(): Promise<void>;
  /** Continues the current step after a pause. */
  resume(): Promise<void>;
  /**
   * Finishes this recording as `finish` does, and at the same moment starts a recording of the same map with `step` as
   * its first step. If one of the two fails, neither happens.
   */
  nextCycle(step: StepFields, options?: FinishOptions): Promise<NextCycle>;
  /** Ends the current step and moves the recording into the outbox. The server makes it a run. */
  finish(options?: FinishOptions): Promise<Finished>;
  /** Undoes a finish before its `undoMs` are over. The last step continues as if it had never ended. */
  unfinish(): Promise<void>;
  /** Ends the recording without making a run. `restoreRecording` can continue the recording. */
  discard(): Promise<void>;
}

export interface TakenPhoto {
  id: string;
}

export interface NextCycle {
  finished: Finished;
  recording: Recording;
}

/** The content of a recording when an observable emitted it. */
export interface Recorded {
  recording_session_id: string;
  map_id: string;
  /** The name of the map that the recording creates; null if it records an existing map. */
  new_map_name: string | null;
  /** When the recording started, by this device's clock. */
  started_at: string;
  steps: RecordedStep[];
  /** The clock of the current step showed `secs` at the time `since`. `since` is null while the clock stands still. */
  clock: { secs: number; since: string | null };
  /** When the recording was paused; null while it is not paused. */
  paused_at: string | null;
}

/** The recording under way, with its verbs. */
export interface Recording extends Recorded, RecordingVerbs {
  /** The tap that `undo` would take back; null if there is none. */
  undoes: Undoable | null;
  /** The new map that an earlier cycle will make, if that cycle is not in the outbox yet; null otherwise. */
  map_being_made: MapBeingMade | null;
  /**
   * The steps of the earliest cycle before this one that is not in the outbox yet; null if there is none. A map without
   * stages gets its stages from these steps.
   */
  earlier_cycle: RecordedStep[] | null;
}

/** A map that `map$` does not emit yet, since the finish of the recording that makes it can still be undone. */
export interface MapBeingMade {
  name: string;
  steps: RecordedStep[];
}

/** A finished recording that is not in the outbox yet, since a person can still undo the finish. */
export interface DelayedFinish {
  finished_at: string;
  step_count: number;
}

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
    ...clockOf(draft),
  };
}

/**
 * Returns the time of the current step before the open lap, and the start of the open lap, during which the clock runs.
 */
function clockOf({ steps, laps, discarded }: Draft): Pick<Recorded, 'clock' | 'paused_at'> {
  const [step, lastLapStart] = [steps.at(-1), laps.at(-1)];
  if (!step || !lastLapStart) return { clock: { secs: 0, since: null }, paused_at: null };
  const since = isoTime(lastLapStart.wall_ms);
  const isOpen = (part: LapPart) => part.lap === laps.length - 1;
  const closedMs = partsMsOf(
    step.parts.filter((part) => !isOpen(part)),
    lapMeasurerUntil(laps, null),
  );
  const openPart = step.parts.find(isOpen);
  // Subtract the part of the open lap before this step, which exists if the step was split off from another step.
  const ms = closedMs - (openPart?.fromMs ?? 0);
  if (openPart && discarded) {
    const secs = partsMsOf(step.parts, lapMeasurerUntil(laps, discarded)) / 1000;
    return { clock: { secs, since: null }, paused_at: null };
  }
  return openPart
    ? { clock: { secs: ms / 1000, since }, paused_at: null }
    : { clock: { secs: ms / 1000, since: null }, paused_at: since };
}

/** Returns what an undo would take back within the recording. */
export function lastUndoable({ taps, steps }: Draft): Undoable | null {
  const last = taps.at(-1);
  if (!last) return null;
  const { added, removed } = last.change;
  const [step] = last.tap.kind === 'stepped' ? added.slice(-1) : [...removed, ...steps.slice(-1)];
  return { kind: undoKinds[last.tap.kind], stage_name: step?.stage_name ?? '' };
}
