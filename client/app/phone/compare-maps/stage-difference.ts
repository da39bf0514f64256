/** Matches the stages of two maps by their names, including earlier names. */
import { presentNames, stageKey, type Stage } from '../../../client.ts';
import { secsPerHour } from '../../text/format.ts';

/** Two matching stages, or a stage that only one of the two maps has. */
export type StagePair = { left: Stage; right: Stage } | { left: Stage; right?: never } | { left?: never; right: Stage };

/**
 * Returns the rows in the order of the left map. A stage that only the right map has comes after the stage that
 * precedes it in the right map. Stages that share a name match in their order.
 */
export function pairStages(left: readonly Stage[], right: readonly Stage[]): StagePair[] {
  const rightOf = matchStages(left, right);
  const matched = new Set(rightOf.values());
  const rows = left.map((stage): StagePair => {
    const other = rightOf.get(stage);
    return other ? { left: stage, right: other } : { left: stage };
  });
  for (const [index, stage] of right.entries()) {
    if (matched.has(stage)) continue;
    const before = right[index - 1];
    const place = before ? rows.findIndex((row) => row.right === before) + 1 : 0;
    rows.splice(place, 0, { right: stage });
  }
  return rows;
}

function matchStages(left: readonly Stage[], right: readonly Stage[]): Map<Stage, Stage> {
  const presentName = { left: presentNames(left), right: presentNames(right) };
  const unmatched = new Map<string, Stage[]>();
  for (const stage of right) {
    const key = stageKey(stage.stage);
    unmatched.set(key, [...(unmatched.get(key) ?? []), stage]);
  }
  const found = new Map<Stage, Stage>();
  const match = (keysOf: (stage: Stage) => string[]) => {
    for (const stage of left) {
      if (found.has(stage)) continue;
      const candidates = keysOf(stage).flatMap((key) => unmatched.get(key) ?? []);
      const [first] = candidates;
      if (!first) continue;
      found.set(stage, first);
      const key = stageKey(first.stage);
      unmatched.set(key, (unmatched.get(key) ?? []).slice(1));
    }
  };
  // Matches present names first, since an earlier name of one stage may be the present name of another.
  match(({ stage }) => [stageKey(stage)]);
  match(({ stage }) => [presentName.right(stage).key]);
  const renamed = new Map(right.map(({ stage }) => [presentName.left(stage).key, stageKey(stage)]));
  match(({ stage }) => [renamed.get(stageKey(stage)) ?? '']);
  return found;
}

type CycleAndWaitTimes = Pick<Stage, 'cycle_time_hrs' | 'wait_time_hrs'>;

export const isUnchanged = ({ left, right }: StagePair): boolean =>
  left !== undefined &&
  right !== undefined &&
  isSameTime(left.cycle_time_hrs, right.cycle_time_hrs) &&
  isSameTime(left.wait_time_hrs, right.wait_time_hrs) &&
  left.work_type === right.work_type;

/** Returns by how many hours the right stage's lead time is longer. A missing stage has a lead time of 0. */
export const leadTimeDifferenceHrs = ({ left, right }: StagePair): number => leadTimeHrs(right) - leadTimeHrs(left);

const leadTimeHrs = (stage: CycleAndWaitTimes | undefined): number =>
  stage ? stage.cycle_time_hrs + stage.wait_time_hrs : 0;

/** A smaller difference is a rounding error. */
const differenceHrsMin = 0.001 / secsPerHour;
const isSameTime = (a: number, b: number): boolean => Math.abs(a - b) < differenceHrsMin;
