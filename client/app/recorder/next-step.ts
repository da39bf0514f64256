import { presentNames, stageKey, type WorkType } from '../../client.ts';
import { texts } from '../text/texts.ts';

export interface StepToStart {
  stage_name: string;
  work_type: WorkType;
  /** True for an interruption, which is no stage of the process. */
  interruption?: boolean;
}

interface NamedStage {
  stage: string;
  aliases?: string[];
}

export interface StageNameAndType extends NamedStage {
  work_type: WorkType;
}

interface StageKeys {
  /** The keys of the stages, in their order. The key of a stage is its name without case and outer spaces. */
  keys: readonly string[];
  /** Turns the name of a step into the key of its stage, also if the stage was renamed after the step began. */
  keyOf(stepName: string): string;
}

const stageKeysCache = new WeakMap<readonly NamedStage[], StageKeys>();

/** Returns the keys of the stages. Caches them for each list, since each tap asks for them several times. */
export function stageKeysOf(stages: readonly NamedStage[]): StageKeys {
  const cached = stageKeysCache.get(stages);
  if (cached) return cached;
  const currentNameOf = presentNames(stages);
  const keys = { keys: stages.map(({ stage }) => stageKey(stage)), keyOf: (name: string) => currentNameOf(name).key };
  stageKeysCache.set(stages, keys);
  return keys;
}

/**
 * Returns the steps that are no interruptions. If a stage goes on after an interruption, the recording has a second
 * step of this stage after the interruption. Leaves out this second step.
 */
export function stageSteps<Step extends StepToStart>(steps: readonly Step[]): Step[] {
  return steps.filter(({ stage_name, interruption }, index) => {
    const continued = steps[index - 1]?.interruption && steps.slice(0, index).findLast((step) => !step.interruption);
    return !interruption && !(continued && stageKey(continued.stage_name) === stageKey(stage_name));
  });
}

/** Returns the step that an interruption has interrupted; undefined if the current step is no interruption. */
export function interruptedStep(steps: readonly StepToStart[]): StepToStart | undefined {
  if (!steps.at(-1)?.interruption) return undefined;
  const step = steps.findLast(({ interruption }) => !interruption);
  return step && { stage_name: step.stage_name, work_type: step.work_type };
}

/**
 * During an interruption, returns the interrupted stage; otherwise the stage after the last recorded stage. Returns
 * undefined after the last stage of the map, or without a map.
 */
export function nextStage(stages: readonly StageNameAndType[], steps: readonly StepToStart[]): StepToStart | undefined {
  const interrupted = interruptedStep(steps);
  if (interrupted) return interrupted;
  const next = stages[lastStageIndex(stages, steps) + 1];
  return next && { stage_name: next.stage, work_type: next.work_type };
}

/**
 * Returns the index of the map's stage recorded last, or -1. If stages share a name, a step belongs to the first match
 * in this order: the stage after the previous step's stage, that previous stage, later stages, earlier stages.
 */
function lastStageIndex(stages: readonly StageNameAndType[], steps: readonly StepToStart[]): number {
  const { keys, keyOf } = stageKeysOf(stages);
  let last = -1;
  for (const { stage_name } of stageSteps(steps)) {
    const key = keyOf(stage_name);
    const near = [last + 1, last].find((index) => keys[index] === key);
    const found = near ?? [keys.indexOf(key, last + 1), keys.indexOf(key)].find((index) => index >= 0);
    // Skip a step that is no stage of the map.
    last = found ?? last;
  }
  return last;
}

/** Tells whether the last stage of the map is recorded, so that the next tap begins the next cycle. */
export function isCycleComplete(stages: readonly StageNameAndType[], steps: readonly StepToStart[]): boolean {
  return stages.length > 0 && stageSteps(steps).length > 0 && nextStage(stages, steps) === undefined;
}

/** Returns the step that a tap starts: the next stage, or else a step named by its number. */
export function stepToStart(
  stages: readonly StageNameAndType[],
  steps: readonly StepToStart[],
  chosenType: WorkType | undefined,
): StepToStart {
  const next = nextStage(stages, steps);
  const stage_name = next?.stage_name ?? texts.record.step(stageSteps(steps).length + 1);
  return { stage_name, work_type: chosenType ?? next?.work_type ?? 'incidental' };
}

/** Returns the first step of the next cycle: the gap since the last cycle if gaps are recorded, else the first stage. */
export function firstStepOfCycle(
  stages: readonly StageNameAndType[],
  options: { chosenType: WorkType | undefined; isGapRecorded: boolean },
): StepToStart {
  if (!options.isGapRecorded) return stepToStart(stages, [], options.chosenType);
  return { stage_name: texts.record.gap, work_type: 'waste', interruption: true };
}
