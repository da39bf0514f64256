/**
 * The recorder: makes the steps of a recording from its taps. Pure.
 *
 *   started ─► stepped ─► stepped ─► … ─► finished ─┬─► restored ─► …
 *                 ▲  noted, undone   └──► discarded ─┘
 *
 * A step begins at its tap and ends when the next step begins. `undone` removes the last remaining step or note. If it
 * removes a step, the previous step continues as if that step had never ended. `restored` continues the last step of a
 * discarded or finished recording in the same way.
 */
import { workTypeOf } from '../../shared/domain/stages/work-type.ts';
import type { WorkType } from '../../shared/schema/fields.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';
import { notesLengthMax, stepsPerRecordingMax } from '../../shared/schema/limits.ts';
import { isoTime, type Stamp } from '../core/clock.ts';
import type { FinishedTap, StartedTap, SteppedTap, LaterTap } from '../storage/rows.ts';
import { durationBetween } from './duration.ts';

type UndoableTap = SteppedTap | Extract<LaterTap, { kind: 'noted' }>;

/** A recording that is not in the outbox yet, as computed from its taps. */
export interface Draft {
  started: StartedTap;
  /** The `stepped` and `noted` taps that were not undone. */
  taps: readonly UndoableTap[];
  /** The steps that `taps` make, each with its start and its notes. */
  steps: readonly DraftStep[];
  /** An upper bound of the upload size in bytes. */
  bytes: number;
  /** When the recording was discarded; null if it was not. */
  discarded: Stamp | null;
  /** The tap that finished the recording; null if it was not finished. */
  finished: FinishedTap | null;
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
      return { ...draft, discarded: null, finished: null };
    case 'finished':
      return { ...draft, finished: tap };
    // A newer version of the app may have stored a kind of tap that this version does not know.
    default:
      return draft;
  }
}

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
  /** The step as the public API shows it. Computed once, since every tap emits all steps. */
  recorded: RecordedStep;
}

/** A step of a recording as the public API shows it. */
export interface RecordedStep {
  stage_name: string;
  work_type: WorkType;
  notes: string;
  started_at: string;
}

function makeDraftStep(step: Omit<DraftStep, 'recorded'>): DraftStep {
  const { stage_name, work_type, notes, begun } = step;
  const shownType = workTypeOf(work_type ? { work_type } : {});
  const recorded = { stage_name, work_type: shownType, notes, started_at: isoTime(begun.wall_ms) };
  return { stage_name, work_type, notes, begun, recorded };
}

function addToSteps(steps: readonly DraftStep[], tap: UndoableTap): readonly DraftStep[] {
  if (tap.kind === 'stepped') {
    const { stage_name, work_type, notes, at } = tap;
    return [...steps, makeDraftStep({ stage_name, work_type, notes, begun: at })];
  }
  const last = steps.at(-1);
  return last
    ? steps.with(steps.length - 1, makeDraftStep({ ...last, notes: joinNotes(last.notes, tap.text) }))
    : steps;
}

/** Returns the steps to upload if the recording ends at `end`. */
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

/** Returns why the draft cannot accept the tap, as a sentence for a person; undefined if it accepts the tap. */
export function tapRefusal(draft: Draft, tap: LaterTap): string | undefined {
  if (tap.kind === 'restored' && draft.finished?.undo) return undefined;
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

/** A push has at most 8 MiB. Drafts stay below this limit, so that every recording can be uploaded. */
const draftBytesMax = 6 * 1024 * 1024;
/** The maximum size of a step in JSON, without its texts. */
const stepBytesMax = 400;
/** The maximum size of one UTF-16 code unit in JSON: an escape such as `\u0001`. */
const characterBytesMax = 6;

function tapBytes(tap: LaterTap): number {
  if (tap.kind === 'noted') return tap.text.length * characterBytesMax;
  if (tap.kind === 'stepped') return stepBytesMax + (tap.stage_name.length + tap.notes.length) * characterBytesMax;
  return 0;
}

const joinNotes = (notes: string, text: string): string => (notes === '' ? text : `${notes}\n${text}`);
