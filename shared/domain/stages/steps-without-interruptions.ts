import type { RunStep } from '../../schema/run.ts';
import { stageKey } from './stage-key.ts';

/**
 * Returns the steps without interruptions, each with its index in `steps`. If the steps before and after an
 * interruption have the same name, the work went on: they become one step with the sum of their times.
 */
export function stepsWithoutInterruptions(
  steps: RunStep[],
  isInterruption: boolean[],
): { steps: RunStep[]; indexes: number[] } {
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
