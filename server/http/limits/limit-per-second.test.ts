import { expect, test } from 'vitest';
import { limitPerSecond } from './limit-per-second.ts';

test('[OPS-12] work that is asked for often is begun so often a second and no more', async () => {
  let now = 0;
  let begun = 0;
  const asked = limitPerSecond(async () => ++begun, { perSecMax: 3, now: () => now });
  const results: number[] = [];
  for (let count = 0; count < 10; count++) results.push(await asked());
  expect(results).toEqual([1, 2, 3, 3, 3, 3, 3, 3, 3, 3]);
  now = 999;
  expect(await asked()).toBe(3);
  now = 1_000;
  expect(await asked()).toBe(4);
});
