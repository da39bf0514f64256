/** Computes how the times of runs change their map. Wait times, work types and stages without a recorded time stay. */
import type { Comparison, RunDoc } from '../../../../shared/schema/run.ts';
import type { Stage } from '../../../../shared/schema/stage.ts';
import { presentNames, stageKey } from '../../../client.ts';
import { workTypes } from '../../ui/work-type.tsx';
import type { WorkType } from '../../text/texts.ts';

export interface MapChange {
  updates: { stage: Stage; secs: number }[];
  additions: { name: string; secs: number; type: WorkType }[];
  keptCount: number;
}

const secsPerHour = 3_600;
/** A smaller difference is a rounding error, since the map stores hours. */
const differenceSecsMin = 0.001;

/** Proposes for each stage its median time in the compared runs. */
export function proposeMapChange(
  stages: readonly Stage[],
  { comparison, runs }: { comparison: Comparison; runs: RunDoc[] },
) {
  const change: MapChange = { updates: [], additions: [], keptCount: stages.length };
  const presentName = presentNames(stages);
  for (const { stage_name, median_secs: secs } of comparison.stages) {
    const { key } = presentName(stage_name);
    const stage = stages.find((known) => stageKey(known.stage) === key);
    if (!stage) {
      const steps = runs.flatMap((run) => run.steps).filter((step) => presentName(step.stage_name).key === key);
      change.additions.push({ name: stage_name, secs, type: longestWorkType(steps) });
    } else if (Math.abs(stage.cycle_time_hrs * secsPerHour - secs) >= differenceSecsMin) {
      change.updates.push({ stage, secs });
      change.keptCount--;
    }
  }
  return change;
}

function longestWorkType(steps: RunDoc['steps']): WorkType {
  const secsOf = (type: WorkType) =>
    steps.reduce((sum, { work_type, duration_secs }) => (work_type === type ? sum + duration_secs : sum), 0);
  const [longest = 'incidental'] = workTypes.toSorted((a, b) => secsOf(b) - secsOf(a));
  return longest;
}
