import { expect, test } from 'vitest';
import { LocalRequestCounts } from './local-counts.ts';

const request = (now: number, windowMs = 60_000) => ({ key: 'a', now, endsAt: now + windowMs });

test('[LIMIT-2] requests of one window are counted together, and the next window begins anew', () => {
  const counts = new LocalRequestCounts();
  expect(counts.add(request(1_000))).toEqual({ requests: 1, endsAt: 61_000 });
  expect(counts.add(request(60_999))).toEqual({ requests: 2, endsAt: 61_000 });
  expect(counts.add(request(61_000))).toEqual({ requests: 1, endsAt: 121_000 });
});

test('[LIMIT-18] a window that a clock ahead began ends with one that begins now', () => {
  const counts = new LocalRequestCounts();
  counts.add(request(7_200_000));
  expect(counts.add(request(1_000))).toEqual({ requests: 2, endsAt: 61_000 });
});

test('[LIMIT-2] a request that was taken back is not counted, and a window that ended is swept', () => {
  const counts = new LocalRequestCounts();
  counts.refund('a');
  counts.add(request(0));
  counts.refund('a');
  expect(counts.add(request(1)).requests).toBe(1);
  counts.sweep(60_000);
  expect(counts.add(request(2)).requests).toBe(1);
});
