import type { RecordedStep } from '../../client.ts';
import { texts, type WorkType } from '../text/texts.ts';

export interface StepToStart {
  stage_name: string;
  work_type: WorkType;
}

interface StageNameAndType {
  stage: string;
  work_type: WorkType;
}

/** Returns the stage after the last recorded stage; undefined after the last stage of the map, or without a map. */
export function nextStage(
  stages: readonly StageNameAndType[],
  steps: readonly Pick<RecordedStep, 'stage_name'>[],
): StepToStart | undefined {
  const names = stages.map(({ stage }) => stage);
  // Skips steps that are not stages of the map.
  const last = steps.findLast(({ stage_name }) => names.includes(stage_name));
  const next = stages[last ? names.indexOf(last.stage_name) + 1 : 0];
  return next && { stage_name: next.stage, work_type: next.work_type };
}

/** Returns the step that a tap starts: the next stage, or else a step named by its number. */
export function stepToStart(
  stages: readonly StageNameAndType[],
  steps: readonly Pick<RecordedStep, 'stage_name'>[],
  chosenType: WorkType | undefined,
): StepToStart {
  const next = nextStage(stages, steps);
  const stage_name = next?.stage_name ?? texts.record.step(steps.length + 1);
  return { stage_name, work_type: chosenType ?? next?.work_type ?? 'incidental' };
}

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
  const all = [...fromMap.slice(start), ...fromMap.slice(0, start), ...steps];
  return all
    .filter(({ stage_name }, index) => all.findIndex((other) => other.stage_name === stage_name) === index)
    .map(({ stage_name, work_type }) => ({ stage_name, work_type }));
}
