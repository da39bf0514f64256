/** Holds what the server stores against what the devices made: each recording once, whole, in its device's order, and no other. */
import { parseSessionId, stepsOf } from './recordings.ts';

export interface StoredRun {
  recording_session_id: string;
  /** The account's version at which the run was written. */
  version: number;
  steps: readonly { stage_name: string; duration_secs: number }[];
}

/** The devices of one account with the number of recordings that each of them made. */
export type RecordedCounts = ReadonlyMap<number, number>;

export function storedProblems(run: string, recorded: RecordedCounts, stored: readonly StoredRun[]): string[] {
  const problems: string[] = [];
  const seen = new Map<number, number[]>([...recorded.keys()].map((device) => [device, []]));
  for (const { recording_session_id: id, steps } of stored.toSorted((one, other) => one.version - other.version)) {
    const session = parseSessionId(id);
    const numbers = session?.run === run ? seen.get(session.device) : undefined;
    if (!session || !numbers || session.number < 1 || session.number > (recorded.get(session.device) ?? 0)) {
      problems.push(`${id} is stored and was never recorded`);
      continue;
    }
    if (!areWhole(steps, session)) problems.push(`${id} is stored with other steps`);
    numbers.push(session.number);
  }
  for (const [device, numbers] of seen) problems.push(...orderProblems(device, numbers, recorded.get(device) ?? 0));
  return problems;
}

function areWhole(steps: StoredRun['steps'], { device, number }: { device: number; number: number }): boolean {
  const made = stepsOf(device, number);
  return (
    steps.length === made.length &&
    steps.every(
      ({ stage_name, duration_secs }, index) =>
        stage_name === made[index]?.stage_name && duration_secs === made[index]?.duration_secs,
    )
  );
}

/** `numbers` stand in the order in which the server stored them. */
function orderProblems(device: number, numbers: readonly number[], recorded: number): string[] {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const problems: string[] = [];
  for (let number = 1; number <= recorded; number++) {
    const times = counts.get(number) ?? 0;
    if (times === 0) problems.push(`recording ${number} of device ${device} is missing`);
    if (times > 1) problems.push(`recording ${number} of device ${device} is stored ${times} times`);
  }
  const isAscending = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
  if (!isAscending && problems.length === 0) problems.push(`the recordings of device ${device} are out of order`);
  return problems;
}
