/** What the next step is most likely called, and what else it may be called. */
import type { RecordedStep } from '../shell/engine.tsx';
import type { WorkType } from '../text/texts.ts';

export interface NextStep {
  stage_name: string;
  work_type: WorkType;
}

interface StageName {
  stage: string;
  work_type: WorkType;
}

/** The stage behind the last one that was recorded; undefined when there is none, or no map yet. */
export function nextStep(stages: readonly StageName[], steps: readonly RecordedStep[]): NextStep | undefined {
  const names = stages.map(({ stage }) => stage);
  // A step that the map does not have does not change what comes behind the ones before it.
  const last = steps.findLast(({ stage_name }) => names.includes(stage_name));
  const next = stages[last ? names.indexOf(last.stage_name) + 1 : 0];
  return next && { stage_name: next.stage, work_type: next.work_type };
}

/** Each name once: the stages from the next one on, those before it, then what this recording named itself. */
export function namedSteps(stages: readonly StageName[], steps: readonly RecordedStep[]): NextStep[] {
  const ofMap = stages.map(({ stage, work_type }) => ({ stage_name: stage, work_type }));
  const next = nextStep(stages, steps);
  const turn = Math.max(
    0,
    ofMap.findIndex(({ stage_name }) => stage_name === next?.stage_name),
  );
  const all = [...ofMap.slice(turn), ...ofMap.slice(0, turn), ...steps];
  return all
    .filter(({ stage_name }, index) => all.findIndex((other) => other.stage_name === stage_name) === index)
    .map(({ stage_name, work_type }) => ({ stage_name, work_type }));
}
