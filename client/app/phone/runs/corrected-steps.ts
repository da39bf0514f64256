/** Pure functions that correct the steps of a run. Each returns the corrected steps, numbered from 1. */
import type { RecordingStep, RunStep } from '../../../client.ts';

export type StepChange = Partial<Pick<RunStep, 'stage_name' | 'work_type' | 'notes'>>;

export const changeStep = (steps: readonly RunStep[], index: number, change: StepChange): RunStep[] =>
  renumber(steps.map((step, at) => (at === index ? { ...step, ...change } : step)));

export const removeStep = (steps: readonly RunStep[], index: number): RunStep[] => renumber(steps.toSpliced(index, 1));

/** Splits a step after `secs`. Both parts keep name and work type. Only the first part keeps the note and photos. */
export function splitStep(steps: readonly RunStep[], index: number, secs: number): RunStep[] {
  return renumber(
    steps.flatMap((step, at) => {
      if (at !== index) return [step];
      const rest = { ...step, duration_secs: roundToMs(step.duration_secs - secs), notes: '', photos: [] };
      return [{ ...step, duration_secs: secs }, rest];
    }),
  );
}

/** Joins a step with the next step. The joined step has the name and the work type of the first one. */
export function joinWithNextStep(steps: readonly RunStep[], index: number): RunStep[] {
  const [first, second] = steps.slice(index, index + 2);
  if (!first || !second) return [...steps];
  const joined: RunStep = {
    ...first,
    duration_secs: roundToMs(first.duration_secs + second.duration_secs),
    duration_estimated: first.duration_estimated || second.duration_estimated,
    notes: [first.notes, second.notes].filter((note) => note !== '').join('\n'),
    photos: [...first.photos, ...second.photos],
  };
  return renumber(steps.toSpliced(index, 2, joined));
}

/** Returns the steps in the form that `correctRun` takes, without `value_add`, which follows from the work type. */
export const toRecordingSteps = (steps: readonly RunStep[]): RecordingStep[] =>
  steps.map(({ value_add: _derived, ...step }) => step);

export const haveSameSteps = (a: readonly RunStep[], b: readonly RunStep[]): boolean =>
  a === b || (a.length === b.length && a.every((step, index) => stepAsJson(step) === stepAsJson(b[index])));

/**
 * Returns the fields in a fixed order as JSON, since the order of an object's keys depends on where a step came from.
 */
const stepAsJson = (step: RunStep | undefined): string =>
  JSON.stringify(
    step && [step.stage_name, step.duration_secs, step.duration_estimated, step.work_type, step.notes, step.photos],
  );

export const totalSecsOf = (steps: readonly RunStep[]): number =>
  roundToMs(steps.reduce((sum, { duration_secs }) => sum + duration_secs, 0));

const renumber = (steps: readonly RunStep[]): RunStep[] => steps.map((step, index) => ({ ...step, order: index + 1 }));

/** Removes the rounding error of a sum, such as 0.1 + 0.2. */
const roundToMs = (secs: number): number => Math.round(secs * 1_000) / 1_000;
