import { expect, test } from 'vitest';
import { mediansAround } from './trend-medians.ts';

const run = (id: number, total_time_secs: number, pce: number | null) => ({ id, total_time_secs, pce });

test('[APP-273] the medians before and from a run on count total times and each PCE that there is', () => {
  const runs = [run(1, 40, 0.2), run(2, 60, null), run(3, 20, 0.4), run(4, 30, 0.5)];
  expect(mediansAround(runs, 3)).toEqual({
    before: { runs: 2, secs: 50, pce: 0.2 },
    after: { runs: 2, secs: 25, pce: 0.45 },
  });
  expect(mediansAround(runs, 1).before).toBeUndefined();
  expect(mediansAround(runs, 99)).toEqual({ before: { runs: 4, secs: 35, pce: 0.4 }, after: undefined });
});
