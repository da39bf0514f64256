/** Computes the stages of a map after a recording. The mode says whether stages are replaced, kept or merged. */
import { stageTimeHrsMax } from '../../schema/limits.ts';
import type { StagesMode } from '../../schema/recording.ts';
import type { RunStep } from '../../schema/run.ts';
import type { Stage } from '../../schema/stage.ts';
import { stageOfStep } from '../run.ts';
import { stageKey } from './stage-key.ts';
import { presentNames, withAliasesFrom } from './stage-names.ts';
import { withPositions } from './stages.ts';

interface StagesAfterRecordingInput {
  mapId: string;
  stages: Stage[];
  steps: RunStep[];
  /** Returns the id for the new stage of a step. Called only for steps that become new stages. */
  stageIdAt: (stepIndex: number) => number;
}

export const computeStagesByMode = {
  replace: ({ mapId, stages, steps, stageIdAt }) =>
    withAliasesFrom(
      stages,
      steps.map((step, index) => stageOfStep(step, mapId, stageIdAt(index))),
    ),
  keep: ({ stages }) => stages,
  merge: mergeStages,
} satisfies Record<StagesMode, (recorded: StagesAfterRecordingInput) => Stage[]>;

/**
 * Gives each stage the total time of its matching steps. A step without a stage becomes a new stage: after the stage of
 * the previous matching step, or else before the stage of the next matching step. If no step matches, it comes last.
 */
function mergeStages({ mapId, stages, steps, stageIdAt }: StagesAfterRecordingInput): Stage[] {
  const stageAt = matchStagesByName(stages, steps);
  const secs = new Map<Stage, number>();
  const leading: Stage[] = [];
  const following = new Map<Stage, Stage[]>();
  let previous: Stage | undefined;
  for (const [index, step] of steps.entries()) {
    const stage = stageAt[index];
    if (stage) {
      secs.set(stage, (secs.get(stage) ?? 0) + step.duration_secs);
      previous = stage;
    } else {
      const added = stageOfStep(step, mapId, stageIdAt(index));
      if (previous) following.set(previous, [...(following.get(previous) ?? []), added]);
      else leading.push(added);
    }
  }
  const first = stageAt.find((stage) => stage !== undefined);
  const merged = stages.flatMap((stage) => [
    ...(stage === first ? leading : []),
    withCycleTime(stage, secs.get(stage)),
    ...(following.get(stage) ?? []),
  ]);
  return withPositions(first ? merged : [...merged, ...leading]);
}

/**
 * Returns the matching stage of each step. If several stages have the same name, the first step with that name gets the
 * first of these stages, the second step gets the second stage, and so on. All further steps get the last stage.
 */
function matchStagesByName(stages: Stage[], steps: RunStep[]): (Stage | undefined)[] {
  const presentName = presentNames(stages);
  const unmatched = new Map<string, Stage[]>();
  for (const stage of stages) {
    const named = unmatched.get(stageKey(stage.stage));
    if (named) named.push(stage);
    else unmatched.set(stageKey(stage.stage), [stage]);
  }
  return steps.map(({ stage_name }) => {
    const named = unmatched.get(presentName(stage_name).key);
    return named && named.length > 1 ? named.shift() : named?.[0];
  });
}

/** Limits the time, since the sum of 1,000 steps may exceed the limit of a stage. */
function withCycleTime(stage: Stage, secs: number | undefined): Stage {
  return secs === undefined ? stage : { ...stage, cycle_time_hrs: Math.min(secs / 3600, stageTimeHrsMax) };
}
