/**
 * The recorder, pure: the taps of a recording become its steps.
 *
 *   started ─► stepped ─► stepped ─► … ─► finished
 *                 ▲  noted, undone   └──► discarded ─► restored ─► …
 *
 * A step begins at its tap and ends at the next one. `undone` takes back the last step or note that still stands; the
 * step before is under way again then, its clock never stopped. So is the last step of a recording that is restored.
 */
import { workTypeOf } from '../../shared/domain/work-type.ts';
import type { WorkType } from '../../shared/schema/fields.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';
import { notesLengthMax, stepsPerRecordingMax } from '../../shared/schema/limits.ts';
import { isoTime, type Stamp } from '../core/clock.ts';
import type { StartedTap, SteppedTap, LaterTap } from '../storage/rows.ts';
import { durationBetween } from './duration.ts';

type UndoableTap = SteppedTap | Extract<LaterTap, { kind: 'noted' }>;

/**
 * A recording's start and the taps that were not taken back. A tap changes only the end of the draft, so its cost does
 * not grow with the draft.
 */
export interface Draft {
  started: StartedTap;
  taps: readonly UndoableTap[];
  /** The steps that the taps make, each with its begin and notes. */
  steps: readonly DraftStep[];
  /** An upper bound of the size of the upload. */
  bytes: number;
  /** When the recording was discarded; null if it was not. */
  discarded: Stamp | null;
  /** When the recording was finished; null while it goes on. */
  finished: Stamp | null;
}

export function startDraft(started: StartedTap): Draft {
  return { started, taps: [], steps: [], bytes: 0, discarded: null, finished: null };
}

export function applyTap(draft: Draft, tap: LaterTap): Draft {
  switch (tap.kind) {
    case 'stepped':
    case 'noted':
      return {
        ...draft,
        taps: [...draft.taps, tap],
        steps: addToSteps(draft.steps, tap),
        bytes: draft.bytes + tapBytes(tap),
      };
    case 'undone':
      return undoLast(draft);
    case 'discarded':
      return { ...draft, discarded: tap.at };
    case 'restored':
      return { ...draft, discarded: null };
    case 'finished':
      return { ...draft, finished: tap.at };
    // An unknown kind of tap, from a newer version of the app, has no effect here but stays stored.
    default:
      return draft;
  }
}

/** Removes the last note or step, at a cost that does not grow with the draft. */
function undoLast(draft: Draft): Draft {
  const last = draft.taps.at(-1);
  if (!last) return draft;
  const taps = draft.taps.slice(0, -1);
  const steps = draft.steps.slice(0, -1);
  const bytes = draft.bytes - tapBytes(last);
  if (last.kind === 'stepped') return { ...draft, taps, steps, bytes };
  const begun = taps.findLastIndex(({ kind }) => kind === 'stepped');
  return { ...draft, taps, steps: taps.slice(begun).reduce(addToSteps, steps), bytes };
}

interface DraftStep {
  stage_name: string;
  work_type: SteppedTap['work_type'];
  notes: string;
  begun: Stamp;
  /** The step as an app sees it, made once so that a new tap does not make all earlier steps again. */
  recorded: RecordedStep;
}

/** A step as an app sees it. */
export interface RecordedStep {
  stage_name: string;
  work_type: WorkType;
  notes: string;
  started_at: string;
}

function draftStep(step: Omit<DraftStep, 'recorded'>): DraftStep {
  const { stage_name, work_type, notes, begun } = step;
  const shownType = workTypeOf(work_type ? { work_type } : {});
  const recorded = { stage_name, work_type: shownType, notes, started_at: isoTime(begun.wall_ms) };
  return { stage_name, work_type, notes, begun, recorded };
}

function addToSteps(steps: readonly DraftStep[], tap: UndoableTap): readonly DraftStep[] {
  if (tap.kind === 'stepped') {
    const { stage_name, work_type, notes, at } = tap;
    return [...steps, draftStep({ stage_name, work_type, notes, begun: at })];
  }
  const last = steps.at(-1);
  return last ? steps.with(steps.length - 1, draftStep({ ...last, notes: joinNotes(last.notes, tap.text) })) : steps;
}

/** The steps to upload if the recording ends at `end`. */
export function stepsToUpload(draft: Draft, end: Stamp): RecordingStep[] {
  const { steps } = draft;
  return steps.map((step, index) => ({
    stage_name: step.stage_name,
    order: index + 1,
    ...durationBetween(step.begun, steps[index + 1]?.begun ?? end),
    ...(step.work_type ? { work_type: step.work_type } : {}),
    notes: step.notes,
  }));
}

/** Returns the reason why the draft cannot accept the tap, for a person; undefined if it can. */
export function tapRefusal(draft: Draft, tap: LaterTap): string | undefined {
  if (draft.finished) return 'The recording was finished.';
  if (tap.kind === 'restored') return draft.discarded ? undefined : 'The recording was restored already.';
  if (draft.discarded) return 'The recording was discarded.';
  const { steps } = draft;
  if (tap.kind === 'stepped' && steps.length >= stepsPerRecordingMax) {
    return `A recording has at most ${stepsPerRecordingMax} steps: finish this one and start another.`;
  }
  if (tap.kind === 'noted') {
    const last = steps.at(-1);
    if (!last) return 'A note belongs to a step: begin one first.';
    const notes = joinNotes(last.notes, tap.text);
    if ([...notes].length > notesLengthMax) return `The notes of a step have at most ${notesLengthMax} characters.`;
  }
  if (tap.kind === 'undone' && draft.taps.length === 0) return 'There is nothing to undo.';
  if (tap.kind === 'finished' && steps.length === 0)
    return 'There is no step yet: begin one, or discard the recording.';
  if (draft.bytes + tapBytes(tap) > draftBytesMax) return 'The recording is full: finish it and start another.';
  return undefined;
}

/** Far below the 8 MiB limit of a push, so that every accepted recording can be uploaded. */
const draftBytesMax = 6 * 1024 * 1024;
/** The maximum size of a step's other fields, and of one character as UTF-8 or as a JSON escape. */
const stepBytes = 400;
const characterBytesMax = 6;

function tapBytes(tap: LaterTap): number {
  if (tap.kind === 'noted') return tap.text.length * characterBytesMax;
  if (tap.kind === 'stepped') return stepBytes + (tap.stage_name.length + tap.notes.length) * characterBytesMax;
  return 0;
}

const joinNotes = (notes: string, text: string): string => (notes === '' ? text : `${notes}\n${text}`);
