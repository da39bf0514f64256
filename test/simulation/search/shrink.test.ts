import { expect, test } from 'vitest';
import { shrink } from './shrink.ts';

test('[SIM-19] of 100 acts only those stay that a failure needs', async () => {
  const needed = [3, 41, 97];
  let tries = 0;
  const skipped = await shrink({
    acts: 100,
    failsWithout: async (without) => {
      tries += 1;
      return !needed.some((act) => without.has(act));
    },
    triesMax: 500,
  });
  expect([...Array(100).keys()].filter((act) => !skipped.has(act))).toEqual(needed);
  expect(tries).toBeLessThan(160);
});

test('[SIM-19] shrinking ends after its tries and keeps the failure', async () => {
  const skipped = await shrink({ acts: 64, failsWithout: async (without) => !without.has(5), triesMax: 3 });
  expect(skipped.has(5)).toBe(false);
});
