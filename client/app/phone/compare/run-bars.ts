/** The bars of a yamazumi chart, made from runs and their comparison. */
import type { Comparison, RunDoc } from '../../../../shared/schema/run.ts';
import { stageKey } from '../../../client.ts';
import { workTypes } from '../../ui/work-type.tsx';
import type { WorkType } from '../../text/texts.ts';

export interface RunBar {
  id: number;
  map_id: string;
  number: number;
  secs: number;
  /** The figures leave out this run; its bar has no segments. */
  isLeftOut: boolean;
  segments: BarSegment[];
}

export interface BarSegment {
  /** The index of the stage among the compared stages. */
  stage: number;
  type: WorkType;
  secs: number;
}

/** Makes the bar of a run. Each stage has one segment for each work type that its steps have. */
export function barOf({ id, map_id, number, total_time_secs, steps }: RunDoc, comparison: Comparison | null): RunBar {
  const isCompared = comparison?.runs.some((compared) => compared.id === id) ?? false;
  const stages = isCompared ? (comparison?.stages ?? []) : [];
  const segments = stages.flatMap(({ stage_name }, stage) => {
    const ofStage = steps.filter((step) => stageKey(step.stage_name) === stageKey(stage_name));
    return workTypes.flatMap((type) => {
      const ofType = ofStage.filter(({ work_type }) => work_type === type);
      const secs = ofType.reduce((sum, { duration_secs }) => sum + duration_secs, 0);
      return ofType.length > 0 ? [{ stage, type, secs }] : [];
    });
  });
  return { id, map_id, number, secs: total_time_secs, isLeftOut: !isCompared, segments };
}
