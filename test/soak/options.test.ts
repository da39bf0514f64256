import { expect, test } from 'vitest';
import { parseSoak } from './options.ts';

const namesOf = (args: string[], hasStandby = true) => parseSoak(args, { hasStandby })?.map(({ name }) => name);

test('[SOAK-5] the command runs the parts that it is given, or 3 minutes on each store at hand', () => {
  const both = ['3 minutes on the embedded store', '3 minutes on PostgreSQL with a standby'];

  expect(namesOf([])).toEqual(both);
  expect(namesOf(['--seed', '7'])).toEqual(both);
  expect(namesOf([], false)).toEqual(both.slice(0, 1));
  expect(namesOf(['--kills', '1000', '--cold-starts', '200'])).toEqual([
    '1000 kills of the server in mid-push',
    '200 cold starts',
  ]);
  expect(parseSoak(['--power-cuts', '9', '--seed', '7'], { hasStandby: true })).toMatchObject([
    { env: { GEMBA_POWER_CUTS: '9', GEMBA_SEED: '7' } },
  ]);
  expect(namesOf(['--minutes', '0'])).toBeUndefined();
  expect(namesOf(['--kills', 'all'])).toBeUndefined();
  expect(namesOf(['--all'])).toBeUndefined();
});
