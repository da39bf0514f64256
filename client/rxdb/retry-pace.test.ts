import { expect, test } from 'vitest';
import { RetryPace, retryWaitMsMax } from './retry-pace.ts';

const retry = (written: number, refused: number) => ({ isRetry: true, written, refused });
const changes = (written: number, refused: number) => ({ isRetry: false, written, refused });

test('[BRIDGE-19] while nothing is written the batch halves at once to one document, and then the wait doubles up to its maximum', () => {
  const pace = new RetryPace(5_000);
  expect([pace.next(changes(0, 10_000)), pace.waitMs, pace.documentsMax]).toEqual([undefined, 5_000, Infinity]);
  const batches: number[] = [];
  for (let refused = 10_000; refused > 1; refused = pace.documentsMax) {
    expect(pace.next(retry(0, refused))).toBe(0);
    batches.push(pace.documentsMax);
  }
  expect(batches).toEqual([5_000, 2_500, 1_250, 625, 313, 157, 79, 40, 20, 10, 5, 3, 2, 1]);
  const waits = Array.from({ length: 8 }, () => pace.next(retry(0, 1)));
  expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, retryWaitMsMax, retryWaitMsMax, retryWaitMsMax]);
  expect(pace.documentsMax).toBe(1);
  expect(new RetryPace(2 * retryWaitMsMax).next(retry(0, 1))).toBe(2 * retryWaitMsMax);
});

test('[BRIDGE-19] a written document ends the long wait, doubles the batch, and lets the others go on past one that is refused', () => {
  const pace = new RetryPace(5_000);
  for (let tries = 0; tries < 6; tries++) pace.next(retry(0, 1));
  expect(pace.next(changes(0, 1))).toBeUndefined();
  expect(pace.next(changes(1, 0))).toBe(5_000);
  expect(pace.next(changes(1, 0))).toBeUndefined();

  expect([pace.next(retry(1, 0)), pace.documentsMax]).toEqual([0, 2]);
  expect([pace.next(retry(2, 0)), pace.documentsMax]).toEqual([0, 4]);
  expect([pace.next(retry(0, 4)), pace.documentsMax]).toEqual([0, 2]);
  expect([pace.next(retry(0, 1)), pace.documentsMax]).toEqual([0, 1]);
  expect(pace.next(retry(0, 1))).toBe(10_000);
  pace.reset();
  expect([pace.waitMs, pace.documentsMax]).toEqual([5_000, Infinity]);
});
