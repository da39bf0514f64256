import { expect, test } from 'vitest';
import { bottleneckText, stagesOf, whatGave } from './rising-rate.ts';
import { Latencies, Tally } from './measure/tally.ts';

function tallyOf({ ms, errors = [] }: { ms: number[]; errors?: string[] }): Tally {
  const tally = new Tally();
  for (const one of ms) tally.push.add(one);
  for (const code of errors) tally.error(code);
  return tally;
}

test('[LOAD-7] the rates rise by half from 50 pushes a second, in 14 stages of 20 s', () => {
  const stages = stagesOf({ smoke: false });
  expect(stages.slice(0, 4).map(({ pushesPerSec }) => pushesPerSec)).toEqual([50, 75, 113, 169]);
  expect(stages).toHaveLength(14);
  expect(new Set(stages.map(({ secs }) => secs))).toEqual(new Set([20]));
});

test('[LOAD-7] a stage gives when a 429 or 503 comes or the p99 of pushes exceeds 1,000 ms', () => {
  const ms = Array.from({ length: 100 }, () => 20);
  expect(whatGave(tallyOf({ ms }))).toBeUndefined();
  expect(whatGave(tallyOf({ ms: ms.with(0, 5_000) }))).toBeUndefined();
  expect(whatGave(tallyOf({ ms: ms.with(0, 5_000).with(1, 1_001) }))).toBe('p99 of push 1001 ms, over 1000 ms');
  expect(whatGave(tallyOf({ ms, errors: ['ECONNRESET'] }))).toBeUndefined();
  expect(whatGave(tallyOf({ ms, errors: ['503 unavailable', '429 rate_limited', '503 unavailable'] }))).toBe(
    'refused: 2 × 503 unavailable, 1 × 429 rate_limited',
  );
  expect(whatGave(tallyOf({ ms: [] }))).toContain('over 1000 ms');
});

test('[LOAD-6] the processes that had no processor time left are named, the driver first', () => {
  const shares = { servers: [0.4, 0.9], postgres: 0.2, driver: 0.3, machine: 1.85, cores: 2 };
  expect(bottleneckText(shares)).toBe('full: server 2 (0.90); other processes of the machine took 0.05');
  expect(bottleneckText({ ...shares, driver: 0.9, machine: 2 })).toBe(
    'full: the driver (0.90 of a processor: the servers may do more), server 2 (0.90), the machine (2.00 of 2 processors); other processes of the machine took 0.00',
  );
  expect(bottleneckText({ ...shares, servers: [0.5], postgres: Number.NaN, machine: 1 })).toBe(
    'no processor was full; other processes of the machine took 0.20',
  );
});

test('[LOAD-6] a percentile is the smallest time within which the share was answered', () => {
  const latencies = new Latencies();
  expect(latencies.percentile(0.5)).toBeUndefined();
  for (let ms = 1; ms <= 200; ms++) latencies.add(201 - ms);
  expect([0.5, 0.99, 1].map((share) => latencies.percentile(share))).toEqual([100, 198, 200]);
});
