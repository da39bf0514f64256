/** The names that the recorder offers for the next step, and the step that a typed name means. */
import type { RecordedStep, WorkType } from '../../client.ts';
import { nextStage, stageKeysOf, stageSteps, type StageNameAndType, type StepToStart } from './next-step.ts';

/**
 * Suggests each name once, in this order: the next stage, the later stages, the earlier stages, other steps of the
 * recording.
 */
export function stepSuggestions(stages: readonly StageNameAndType[], steps: readonly RecordedStep[]): StepToStart[] {
  const fromMap = stages.map(({ stage, work_type }) => ({ stage_name: stage, work_type }));
  const next = nextStage(stages, steps);
  const start = Math.max(
    0,
    fromMap.findIndex(({ stage_name }) => stage_name === next?.stage_name),
  );
  const all = [...fromMap.slice(start), ...fromMap.slice(0, start), ...stageSteps(steps)];
  const seen = new Set<string>();
  const { keyOf } = stageKeysOf(stages);
  return all
    .filter(({ stage_name }) => seen.size < seen.add(keyOf(stage_name)).size)
    .map(({ stage_name, work_type }) => ({ stage_name, work_type }));
}

/**
 * Returns the step that a typed name starts. If a known step has or had this name, in any case of letters, returns that
 * step; otherwise a new step.
 */
export function stepOfTypedName(
  stages: readonly StageNameAndType[],
  steps: readonly RecordedStep[],
  { name, type }: { name: string; type?: WorkType | undefined },
): StepToStart {
  const { keyOf } = stageKeysOf(stages);
  const known = stepSuggestions(stages, steps).find(({ stage_name }) => keyOf(stage_name) === keyOf(name));
  return { stage_name: known?.stage_name ?? name, work_type: type ?? known?.work_type ?? 'incidental' };
}
