/**
 * The recorder, pure: the taps of a recording become its steps.
 *
 *   started ─► stepped ─► stepped ─► … ─► finish
 *                 ▲  noted, undone
 *
 * A step begins at its tap and ends at the next one. `undone` takes back the last step or note that still stands; the
 * step before is under way again then, its clock never stopped.
 */
import type { RecordingStep } from '../../shared/schema/recording.ts';
import { notesLengthMax, stepsPerRecordingMax } from '../../shared/schema/limits.ts';
import type { DraftBody, Stamp, StartedTap, SteppedTap } from '../store/rows.ts';
import { durationBetween } from './duration.ts';

type StandingTap = SteppedTap | Extract<DraftBody, { kind: 'noted' }>;

/** A recording under way: its start and the taps that still stand. */
export interface Draft {
  started: StartedTap;
  taps: readonly StandingTap[];
  steps: number;
  discarded: boolean;
}

export function draftOf(started: StartedTap): Draft {
  return { started, taps: [], steps: 0, discarded: false };
}

export function tapped(draft: Draft, tap: Exclude<DraftBody, StartedTap>): Draft {
  switch (tap.kind) {
    case 'stepped':
      return { ...draft, taps: [...draft.taps, tap], steps: draft.steps + 1 };
    case 'noted':
      return { ...draft, taps: [...draft.taps, tap] };
    case 'undone': {
      const undoneStep = draft.taps.at(-1)?.kind === 'stepped';
      return { ...draft, taps: draft.taps.slice(0, -1), steps: draft.steps - (undoneStep ? 1 : 0) };
    }
    case 'discarded':
      return { ...draft, discarded: true };
  }
}

export interface StepUnderWay {
  stage_name: string;
  work_type: SteppedTap['work_type'];
  notes: string;
  begun: Stamp;
}

/** The steps as they stand, each with its begin and its notes. */
export function stepsOf(draft: Draft): StepUnderWay[] {
  const steps: StepUnderWay[] = [];
  for (const tap of draft.taps) {
    const last = steps.at(-1);
    if (tap.kind === 'stepped') {
      steps.push({ stage_name: tap.stage_name, work_type: tap.work_type, notes: tap.notes, begun: tap.at });
    } else if (last) {
      last.notes = joined(last.notes, tap.text);
    }
  }
  return steps;
}

/** The steps as they are uploaded when the recording ends now. */
export function recordedSteps(draft: Draft, end: Stamp): RecordingStep[] {
  const steps = stepsOf(draft);
  return steps.map((step, index) => ({
    stage_name: step.stage_name,
    order: index + 1,
    ...durationBetween(step.begun, steps[index + 1]?.begun ?? end),
    ...(step.work_type ? { work_type: step.work_type } : {}),
    notes: step.notes,
  }));
}

/** Why a tap cannot be taken, in words for a person; undefined when it can. */
export function tapRefusal(draft: Draft, tap: Pick<DraftBody, 'kind'> & { text?: string }): string | undefined {
  if (draft.discarded) return 'The recording was discarded.';
  if (tap.kind === 'stepped' && draft.steps >= stepsPerRecordingMax) {
    return `A recording has at most ${stepsPerRecordingMax} steps: finish this one and start another.`;
  }
  if (tap.kind === 'noted') {
    if (draft.steps === 0) return 'A note belongs to a step: begin one first.';
    const notes = joined(stepsOf(draft).at(-1)!.notes, tap.text ?? '');
    if (notes.length > notesLengthMax) return `The notes of a step have at most ${notesLengthMax} characters.`;
  }
  if (tap.kind === 'undone' && draft.taps.length === 0) return 'There is nothing to undo.';
  return undefined;
}

const joined = (notes: string, text: string): string => (notes === '' ? text : `${notes}\n${text}`);
