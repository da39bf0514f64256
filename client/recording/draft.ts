/**
 * Makes the steps of a recording from its taps: a pure reducer.
 *
 *   started ─► stepped ─► stepped ─► … ─┬─► finished ───┬─► restored ─► …
 *                 ▲                     └─► discarded ──┘
 *    noted, edited, split, joined, border_moved, photographed, photo_removed, paused, resumed, undone
 *
 * A finished recording can be restored only if its finish has an undo time.
 *
 * A step begins at its tap and ends when the next step begins. A pause counts to no step. `undone` takes back the last
 * remaining tap and restores exactly what that tap has changed. If that tap began a step, the previous step continues
 * as if the undone step had never begun. `restored` continues the last step of a finished recording as if that step had
 * never ended. The time between `discarded` and `restored` counts to no step, like a pause, even after an undo.
 */
import { notesLengthMax, stepsPerRecordingMax } from '../../shared/schema/limits.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';
import type { Stamp } from '../core/clock.ts';
import type { FinishedTap, StartedTap, TapAfterStart } from '../storage/rows.ts';
import { makeUploadSteps, type DraftStep } from './draft-step.ts';
import {
  outcomeOfTap,
  joinNotes,
  notesTooLongRefusal,
  tooManyStepsRefusal,
  type StepsChange,
} from './taps/tap-changes.ts';
import { isUndoable, type UndoableTap } from './taps/undoable-taps.ts';

/** A recording that is not in the outbox yet, as computed from its taps. */
export interface Draft {
  started: StartedTap;
  /** The taps that were not undone. */
  taps: readonly AppliedTap[];
  /** The starts of the laps (draft-step.ts). */
  laps: readonly Stamp[];
  /** The steps that `taps` make. */
  steps: readonly DraftStep[];
  /** An upper bound of the upload size in bytes. */
  bytes: number;
  /** When the recording was discarded; null if it was not. */
  discarded: Stamp | null;
  /** True if an undo discarded the recording and returned to the previous cycle. */
  isStartUndone: boolean;
  /** The tap that finished the recording; null if it was not finished. */
  finished: FinishedTap | null;
  /** True if a newer version of the app made some of the taps. */
  hasUnknownTaps: boolean;
}

interface AppliedTap {
  tap: UndoableTap;
  /** How the tap changed the steps. */
  change: StepsChange;
  /** The times from a discard to its restore, for each discard between this tap and the next tap. */
  discardedTimes: readonly DiscardedTime[];
}

interface DiscardedTime {
  from: Stamp;
  to: Stamp;
  /** The changes of the steps, equal to a pause and a resume; empty if the recording was paused at the discard. */
  changes: readonly StepsChange[];
}

export function startDraft(started: StartedTap): Draft {
  const none = { taps: [], laps: [], steps: [], bytes: 0 };
  return { started, ...none, discarded: null, isStartUndone: false, finished: null, hasUnknownTaps: false };
}

export function applyTap(draft: Draft, tap: TapAfterStart): Draft {
  if (isUndoable(tap)) return applyUndoable(draft, tap);
  switch (tap.kind) {
    case 'undone':
      return undoLastTap(draft);
    case 'discarded':
      return { ...draft, discarded: tap.at, isStartUndone: tap.returned === true };
    case 'restored':
      return restoreDraft(draft, tap.at);
    case 'finished':
      return { ...draft, finished: tap };
    // A newer version of the app may have stored a kind of tap that this version does not know.
    default:
      return { ...draft, hasUnknownTaps: true };
  }
}

/** A tap that the draft cannot accept has no effect. A file of another device may have such a tap. */
function applyUndoable(draft: Draft, tap: UndoableTap): Draft {
  const outcome = outcomeOfTap(draft, tap);
  if (!outcome.ok) return draft;
  const { change } = outcome;
  return { ...applyChange(draft, change), taps: [...draft.taps, { tap, change, discardedTimes: [] }] };
}

/** An undo keeps the times of discards that follow the tap, since nobody worked during these times. */
function undoLastTap(draft: Draft): Draft {
  const last = draft.taps.at(-1);
  if (!last) return draft;
  const changes = [last.change, ...last.discardedTimes.flatMap((time) => time.changes)];
  const before = { ...changes.reduceRight(revertChange, draft), taps: draft.taps.slice(0, -1) };
  return last.discardedTimes.reduce(skipTime, before);
}

function restoreDraft(draft: Draft, at: Stamp): Draft {
  const { discarded } = draft;
  const restored = { ...draft, discarded: null, isStartUndone: false, finished: null };
  return discarded ? skipTime(restored, { from: correctedDiscardStamp(discarded, at), to: at }) : restored;
}

/**
 * Returns when the discard happened by the clock that `restored` read. The stored time is too late if the clock was set
 * back, since each discard is stored with a time after all earlier discards.
 */
function correctedDiscardStamp(discarded: Stamp, restored: Stamp): Stamp {
  const isSameBoot = discarded.boot_id === restored.boot_id;
  const elapsedMs = isSameBoot ? Math.max(0, restored.monotonic_ms - discarded.monotonic_ms) : 0;
  return { ...discarded, wall_ms: Math.min(discarded.wall_ms, restored.wall_ms - elapsedMs) };
}

/** Stops the clock at `from` and starts it at `to`. Changes nothing while the clock stands still. */
function skipTime(draft: Draft, { from, to }: Pick<DiscardedTime, 'from' | 'to'>): Draft {
  const last = draft.taps.at(-1);
  if (!last) return draft;
  const changes: StepsChange[] = [];
  let skipped = draft;
  const stopAndStart: UndoableTap[] = [
    { kind: 'paused', at: from },
    { kind: 'resumed', at: to },
  ];
  for (const tap of stopAndStart) {
    const outcome = outcomeOfTap(skipped, tap);
    if (!outcome.ok) break;
    skipped = applyChange(skipped, outcome.change);
    changes.push(outcome.change);
  }
  const discardedTimes = [...last.discardedTimes, { from, to, changes }];
  return { ...skipped, taps: [...draft.taps.slice(0, -1), { ...last, discardedTimes }] };
}

const applyChange = (draft: Draft, { index, removed, added, laps, bytes }: StepsChange): Draft => ({
  ...draft,
  laps: laps.length > 0 ? [...draft.laps, ...laps] : draft.laps,
  steps: draft.steps.toSpliced(index, removed.length, ...added),
  bytes: draft.bytes + bytes,
});

const revertChange = (draft: Draft, { index, removed, added, laps, bytes }: StepsChange): Draft => ({
  ...draft,
  laps: laps.length > 0 ? draft.laps.slice(0, -laps.length) : draft.laps,
  steps: draft.steps.toSpliced(index, added.length, ...removed),
  bytes: draft.bytes - bytes,
});

/**
 * Returns the steps to upload if the recording ends at `end`. Without an end, the current step has the maximum
 * duration.
 */
export const stepsToUpload = ({ steps, laps }: Draft, end: Stamp | null): RecordingStep[] =>
  makeUploadSteps(steps, laps, end);

export const isSameDraft = (a: Draft, b: Draft | undefined): boolean =>
  a.started.recording_session_id === b?.started.recording_session_id;

/** Tells whether the next undo would take back the start of this cycle and return to the previous one. */
export const isCycleStart = ({ started, taps }: Draft): boolean =>
  started.previous_session !== undefined && taps.length === 1;

/** Tells whether the step's duration can still grow: it is the current step, or was split off from the current step. */
export const isStepOpen = ({ steps, laps }: Draft, index: number): boolean =>
  index === steps.length - 1 || (steps[index]?.parts.some(({ lap }) => lap === laps.length - 1) ?? false);

/** Returns why the draft cannot accept the tap, as a sentence for a person; undefined if it accepts the tap. */
export function findTapRefusal(draft: Draft, tap: TapAfterStart): string | undefined {
  const ended = findEndedRefusal(draft, tap);
  if (ended !== undefined || tap.kind === 'restored') return ended;
  const { steps, taps } = draft;
  if (draft.hasUnknownTaps && !tapKindsSafeBesideUnknown.has(tap.kind)) return newerAppRefusal;
  if (tap.kind === 'stepped' && steps.length >= stepsPerRecordingMax) return tooManyStepsRefusal;
  if (tap.kind === 'noted') {
    const last = steps.at(-1);
    if (!last) return 'A note belongs to a step: begin one first.';
    if ([...joinNotes(last.notes, tap.text)].length > notesLengthMax) return notesTooLongRefusal;
  }
  if (tap.kind === 'undone' && taps.length === 0) return 'There is nothing to undo.';
  if (tap.kind === 'finished' && steps.length === 0)
    return 'There is no step yet: begin one, or discard the recording.';
  if (!isUndoable(tap)) return undefined;
  const outcome = outcomeOfTap(draft, tap);
  if (!outcome.ok) return outcome.refusal;
  if (draft.bytes + outcome.change.bytes > draftBytesMax) return 'The recording is full: finish it and start another.';
  return undefined;
}

function findEndedRefusal({ discarded, isStartUndone, finished }: Draft, tap: TapAfterStart): string | undefined {
  // Accept a photo that was taken before the end but encoded after it. A restored recording then has the photo.
  if (tap.kind === 'photographed') return undefined;
  if (tap.kind === 'restored' && finished?.undo) return undefined;
  if (finished) return 'The recording was finished.';
  if (tap.kind !== 'restored') return discarded ? 'The recording was discarded.' : undefined;
  if (isStartUndone) return 'The recording was undone.';
  return discarded ? undefined : 'The recording was restored already.';
}

/**
 * The taps that a draft with unknown taps accepts. A finish would upload the steps without the unknown taps, and an
 * undo would take back the wrong tap.
 */
const tapKindsSafeBesideUnknown: ReadonlySet<TapAfterStart['kind']> = new Set(['stepped', 'noted', 'discarded']);
export const newerAppRefusal = 'A newer version of the app continued this: update first.';

/** A push has at most 8 MiB. Drafts stay below this limit, so that every recording can be uploaded. */
const draftBytesMax = 6 * 1024 * 1024;
