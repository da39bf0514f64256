import type { RunStep } from '../../schema/run.ts';
import { stageKey } from './stage-key.ts';

/**
 * Returns the steps that make or time a stage, and the index of each among all steps. Interruptions are left out; a step
 * that continues the step before an interruption adds its time to that step.
 */
export function stepsOfStages(steps: RunStep[], isInterruption: boolean[]): { steps: RunStep[]; indexes: number[] } {
  const kept: RunStep[] = [];
  const indexes: number[] = [];
  for (const [index, step] of steps.entries()) {
    if (isInterruption[index]) continue;
    const before = kept.at(-1);
    const continues = isInterruption[index - 1] && before && stageKey(before.stage_name) === stageKey(step.stage_name);
    if (continues) {
      kept.splice(-1, 1, { ...before, duration_secs: before.duration_secs + step.duration_secs });
    } else {
      kept.push({ ...step, order: kept.length + 1 });
      indexes.push(index);
    }
  }
  return { steps: kept, indexes };
}
