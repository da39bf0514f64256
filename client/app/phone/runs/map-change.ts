/** Decides what the times of runs change on their map. Stages that the runs lack, waits and work types stay. */
import type { Comparison, RunDoc } from '../../../../shared/schema/run.ts';
import type { Stage } from '../../../../shared/schema/stage.ts';
import { presentNames, stageKey } from '../../../client.ts';
import { workTypes } from '../../ui/work-type.tsx';
import type { WorkType } from '../../text/texts.ts';

export interface MapChange {
  updates: { stage: Stage; secs: number }[];
  additions: { name: string; secs: number; type: WorkType }[];
  /** How many stages of the map stay as they are. */
  kept: number;
}

const secsPerHour = 3_600;
/** Times that differ by less count as equal: the map stores hours. */
const differenceSecsMin = 0.001;

/** Gives each stage the median of its time in the compared runs. */
export function mapChange(stages: readonly Stage[], { comparison, runs }: { comparison: Comparison; runs: RunDoc[] }) {
  const change: MapChange = { updates: [], additions: [], kept: stages.length };
  const presentName = presentNames(stages);
  for (const { stage_name, median_secs: secs } of comparison.stages) {
    const { key } = presentName(stage_name);
    const stage = stages.find((known) => stageKey(known.stage) === key);
    if (!stage) {
      const steps = runs.flatMap((run) => run.steps).filter((step) => presentName(step.stage_name).key === key);
      change.additions.push({ name: stage_name, secs, type: longestType(steps) });
    } else if (Math.abs(stage.cycle_time_hrs * secsPerHour - secs) >= differenceSecsMin) {
      change.updates.push({ stage, secs });
      change.kept--;
    }
  }
  return change;
}

function longestType(steps: RunDoc['steps']): WorkType {
  const secsOf = (type: WorkType) =>
    steps.reduce((sum, { work_type, duration_secs }) => (work_type === type ? sum + duration_secs : sum), 0);
  const [longest = 'incidental'] = workTypes.toSorted((a, b) => secsOf(b) - secsOf(a));
  return longest;
}
