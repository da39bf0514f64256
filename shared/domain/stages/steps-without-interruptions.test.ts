import { expect, test } from 'vitest';
import { toRunSteps } from '../run.ts';
import { stepsWithoutInterruptions } from './steps-without-interruptions.ts';

/** Lists the returned steps as name, seconds and index. Steps take 10 s, and those with `!` are interruptions. */
function kept(names: string[]) {
  const recorded = names.map((name, index) => ({ stage_name: name.replace('!', ''), order: index, duration_secs: 10 }));
  const found = stepsWithoutInterruptions(
    toRunSteps(recorded),
    names.map((name) => name.endsWith('!')),
  );
  return found.steps.map(({ stage_name, duration_secs, order }, at) => [
    `${order} ${stage_name}`,
    duration_secs,
    found.indexes[at],
  ]);
}

test('[RECORDER-35] an interruption makes no stage, and a step behind it goes on with the stage of its name', () => {
  expect(kept(['Load', 'Press', 'Phone!', 'press ', 'Pack'])).toEqual([
    ['1 Load', 10, 0],
    ['2 Press', 20, 1],
    ['3 Pack', 10, 4],
  ]);
  expect(kept(['Gap!', 'Load', 'Phone!', 'Crane!', 'Load'])).toEqual([['1 Load', 20, 1]]);
  expect(kept(['Load', 'Phone!', 'Pack', 'Load'])).toEqual([
    ['1 Load', 10, 0],
    ['2 Pack', 10, 2],
    ['3 Load', 10, 3],
  ]);
  expect(kept(['Load', 'Load'])).toHaveLength(2);
  expect(kept(['Phone!'])).toEqual([]);
});
