/** Computes how each tap that can be undone changes the steps of a draft, or why the tap is refused. Pure. */
import { notesLengthMax, photosPerStepMax, stepsPerRecordingMax } from '../../../shared/schema/limits.ts';
import type { Stamp } from '../../core/clock.ts';
import {
  makeDraftStep,
  joinParts,
  lapMeasurerUntil,
  partsMsOf,
  splitParts,
  type DraftStep,
  type LapPart,
  type StepFacts,
} from '../draft-step.ts';
import type { TapOf, UndoableTap } from './undoable-taps.ts';

/** A change of the steps from `index` on: `added` replaces `removed`. An undo restores exactly `removed`. */
export interface StepsChange {
  index: number;
  removed: readonly DraftStep[];
  added: readonly DraftStep[];
  /** The starts of laps that the tap adds: one, or none for an edit. */
  laps: readonly Stamp[];
  /** An upper bound of the bytes by which the tap enlarges the upload. */
  bytes: number;
}

export type TapOutcome = { ok: true; change: StepsChange } | { ok: false; refusal: string };

/** The parts of a draft that a change depends on. */
interface StepsAndLaps {
  steps: readonly DraftStep[];
  laps: readonly Stamp[];
}

export function outcomeOfTap(before: StepsAndLaps, tap: UndoableTap): TapOutcome {
  switch (tap.kind) {
    case 'stepped':
      return beginStep(before, tap);
    case 'noted':
      return addNote(before, tap);
    case 'edited':
      return editStep(before, tap);
    case 'split':
      return splitStep(before, tap);
    case 'joined':
      return joinSteps(before, tap);
    case 'border_moved':
      return moveBorder(before, tap);
    case 'photographed':
      return changePhotos(before, tap, (photos) => [...photos, tap.photo]);
    case 'photo_removed':
      return changePhotos(before, tap, (photos) => photos.filter((photo) => photo !== tap.photo));
    case 'paused':
      return pause(before, tap);
    case 'resumed':
      return resume(before, tap);
  }
}

export function isPaused({ steps, laps }: StepsAndLaps): boolean {
  const last = steps.at(-1);
  return last !== undefined && last.parts.at(-1)?.lap !== laps.length - 1;
}

function beginStep(
  before: StepsAndLaps,
  { at, stage_name, work_type, notes, interruption }: TapOf<'stepped'>,
): TapOutcome {
  const laps = [...before.laps, at];
  const facts = { stage_name, work_type, notes, isInterruption: interruption === true };
  const step = makeDraftStep({ ...facts, photos: [], parts: [wholeLapPart(laps.length - 1)] }, laps, true);
  const bytes = stepBytesMax + (stage_name.length + notes.length) * characterBytesMax;
  return closeLap(before, { at, added: [step], bytes });
}

function addNote(before: StepsAndLaps, { text }: TapOf<'noted'>): TapOutcome {
  const { steps, laps } = before;
  const bytes = text.length * characterBytesMax;
  const last = steps.at(-1);
  const added = last ? [makeDraftStep({ ...last, notes: joinNotes(last.notes, text) }, laps, true)] : [];
  return changedOutcome({ index: steps.length - added.length, removed: steps.slice(-1), added, laps: [], bytes });
}

function editStep(before: StepsAndLaps, { index, stage_name, work_type, notes }: TapOf<'edited'>): TapOutcome {
  const step = before.steps[index];
  if (!step) return stepsChangedOutcome;
  const facts = {
    ...step,
    stage_name: stage_name ?? step.stage_name,
    work_type: work_type ?? step.work_type,
    notes: notes ?? step.notes,
  };
  const bytes = editBytesMax + ((stage_name?.length ?? 0) + (notes?.length ?? 0)) * characterBytesMax;
  return replaceSteps(before, { index, removedCount: 1, added: [facts], bytes });
}

function splitStep(before: StepsAndLaps, { at, index, after_ms, stage_name }: TapOf<'split'>): TapOutcome {
  const step = before.steps[index];
  if (!step) return stepsChangedOutcome;
  if (before.steps.length >= stepsPerRecordingMax) return refusedOutcome(tooManyStepsRefusal);
  const measureLap = lapMeasurerUntil(before.laps, at);
  if (after_ms <= 0 || after_ms >= partsMsOf(step.parts, measureLap))
    return refusedOutcome('The step is shorter than that.');
  const { first, second } = splitParts(step.parts, after_ms, measureLap);
  const rest = { ...step, stage_name: stage_name ?? step.stage_name, notes: '', photos: [], parts: second };
  const bytes = stepBytesMax + rest.stage_name.length * characterBytesMax;
  return replaceSteps(before, { index, removedCount: 1, added: [{ ...step, parts: first }, rest], bytes });
}

function joinSteps(before: StepsAndLaps, { index }: TapOf<'joined'>): TapOutcome {
  const [step, next] = before.steps.slice(index, index + 2);
  if (!step || !next) return noNextStepOutcome;
  const notes = [step.notes, next.notes].filter((text) => text !== '').join('\n');
  if ([...notes].length > notesLengthMax) return refusedOutcome(notesTooLongRefusal);
  const photos = [...new Set([...step.photos, ...next.photos])];
  if (photos.length > photosPerStepMax) return refusedOutcome(tooManyPhotosRefusal);
  const parts = joinParts([...step.parts, ...next.parts]);
  const joined = { ...step, notes, photos, parts };
  return replaceSteps(before, { index, removedCount: 2, added: [joined], bytes: editBytesMax });
}

/** Changes the list of the step's photos. The step has each photo only once. */
function changePhotos(
  before: StepsAndLaps,
  { index }: { index: number },
  change: (photos: readonly string[]) => string[],
): TapOutcome {
  const step = before.steps[index];
  if (!step) return stepsChangedOutcome;
  const photos = [...new Set(change(step.photos))];
  if (photos.length > photosPerStepMax) return refusedOutcome(tooManyPhotosRefusal);
  return replaceSteps(before, { index, removedCount: 1, added: [{ ...step, photos }], bytes: editBytesMax });
}

function moveBorder(before: StepsAndLaps, { at, index, by_ms }: TapOf<'border_moved'>): TapOutcome {
  const [step, next] = before.steps.slice(index, index + 2);
  if (!step || !next) return noNextStepOutcome;
  const measureLap = lapMeasurerUntil(before.laps, at);
  const borderMs = partsMsOf(step.parts, measureLap) + by_ms;
  const parts = joinParts([...step.parts, ...next.parts]);
  if (borderMs <= 0 || borderMs >= partsMsOf(parts, measureLap))
    return refusedOutcome('Each of both steps must keep some time.');
  const { first, second } = splitParts(parts, borderMs, measureLap);
  const added = [
    { ...step, parts: first },
    { ...next, parts: second },
  ];
  return replaceSteps(before, { index, removedCount: 2, added, bytes: editBytesMax });
}

function pause(before: StepsAndLaps, { at }: TapOf<'paused'>): TapOutcome {
  if (before.steps.length === 0) return refusedOutcome('There is no step to pause.');
  if (isPaused(before)) return refusedOutcome('The recording is paused already.');
  return closeLap(before, { at, added: [], bytes: editBytesMax });
}

function resume(before: StepsAndLaps, { at }: TapOf<'resumed'>): TapOutcome {
  const { steps } = before;
  const last = steps.at(-1);
  if (!last || !isPaused(before)) return refusedOutcome('The recording is not paused.');
  const laps = [...before.laps, at];
  const resumed = makeDraftStep({ ...last, parts: [...last.parts, wholeLapPart(laps.length - 1)] }, laps, true);
  return changedOutcome({
    index: steps.length - 1,
    removed: [last],
    added: [resumed],
    laps: [at],
    bytes: editBytesMax,
  });
}

const wholeLapPart = (lap: number): LapPart => ({ lap, fromMs: 0, toMs: null });

/** Ends the open lap, and with it the durations of the steps that have a part in the lap. Changes no other step. */
function closeLap(
  { steps, laps }: StepsAndLaps,
  { at, added, bytes }: { at: Stamp; added: DraftStep[]; bytes: number },
): TapOutcome {
  const closed = laps.length - 1;
  let index = steps.length;
  while (index > 0 && steps[index - 1]?.parts.some(({ lap }) => lap === closed)) index--;
  // A new step also ends a paused step, which has no part in the open lap.
  if (added.length > 0 && steps.length > 0) index = Math.min(index, steps.length - 1);
  const removed = steps.slice(index);
  const ended = removed.map((step, position) =>
    makeDraftStep(step, [...laps, at], added.length === 0 && position === removed.length - 1),
  );
  return changedOutcome({ index, removed, added: [...ended, ...added], laps: [at], bytes });
}

interface StepReplacement {
  index: number;
  removedCount: number;
  added: readonly StepFacts[];
  bytes: number;
}

function replaceSteps(
  { steps, laps }: StepsAndLaps,
  { index, removedCount, added, bytes }: StepReplacement,
): TapOutcome {
  const reachesEnd = index + removedCount === steps.length;
  return changedOutcome({
    index,
    removed: steps.slice(index, index + removedCount),
    added: added.map((facts, position) => makeDraftStep(facts, laps, reachesEnd && position === added.length - 1)),
    laps: [],
    bytes,
  });
}

const changedOutcome = (change: StepsChange): TapOutcome => ({ ok: true, change });
const refusedOutcome = (refusal: string): TapOutcome => ({ ok: false, refusal });

export const stepsChangedRefusal = 'The steps have changed meanwhile: look again.';
const noNextStepOutcome = refusedOutcome('There is no next step.');
const stepsChangedOutcome = refusedOutcome(stepsChangedRefusal);
export const tooManyStepsRefusal = `A recording has at most ${stepsPerRecordingMax} steps: finish this one and start another.`;
export const tooManyPhotosRefusal = `A step has at most ${photosPerStepMax} photos.`;
export const notesTooLongRefusal = `The notes of a step have at most ${notesLengthMax} characters.`;

export const joinNotes = (notes: string, text: string): string => (notes === '' ? text : `${notes}\n${text}`);

/** The maximum size of a step in JSON, without its texts. */
const stepBytesMax = 400;
/** An edit counts towards `draftBytesMax` by at least this, so that the number of a draft's rows is limited, too. */
const editBytesMax = 100;
/** The maximum size of one UTF-16 code unit in JSON: an escape such as `\u0001`. */
const characterBytesMax = 6;
