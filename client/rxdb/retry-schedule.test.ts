import { expect, test } from 'vitest';
import { RetrySchedule, retryWaitMsMax } from './retry-schedule.ts';

const retry = (written: number, refused: number, waiting = refused) => ({ isRetry: true, written, refused, waiting });
const changes = (written: number, refused: number) => ({ isRetry: false, written, refused, waiting: refused });

test('[BRIDGE-19] while nothing is written the batch halves at once to one document, and then the wait doubles up to its maximum', () => {
  const schedule = new RetrySchedule(5_000);
  expect([schedule.next(changes(0, 10_000)), schedule.waitMs, schedule.documentsMax]).toEqual([5_000, 5_000, Infinity]);
  const batches: number[] = [];
  for (let refused = 10_000; refused > 1; refused = schedule.documentsMax) {
    expect(schedule.next(retry(0, refused, 10_000))).toBe(0);
    batches.push(schedule.documentsMax);
  }
  expect(batches).toEqual([5_000, 2_500, 1_250, 625, 313, 157, 79, 40, 20, 10, 5, 3, 2, 1]);
  const alone = () => schedule.next(retry(0, 1, 10_000));
  expect(Array.from({ length: 9 }, alone)).toEqual([0, 0, 0, 0, 0, 0, 0, 10_000, 0]);
  expect(schedule.documentsMax).toBe(1);
  expect(new RetrySchedule(2 * retryWaitMsMax).next(retry(0, 1))).toBe(2 * retryWaitMsMax);
});

test('[BRIDGE-19] a document that waits alone is offered once a wait, also where the app wants none', () => {
  const schedule = new RetrySchedule(0);
  const waits = Array.from({ length: 20 }, () => schedule.next(retry(0, 1)));
  expect(waits.slice(0, 3)).toEqual([2, 4, 8]);
  expect(waits.at(-1)).toBe(retryWaitMsMax);
});

test('[BRIDGE-19] a written document ends the long wait, doubles the batch, and lets the others go on past some that are refused', () => {
  const schedule = new RetrySchedule(5_000);
  for (let tries = 0; tries < 6; tries++) schedule.next(retry(0, 1));
  expect([schedule.next(changes(0, 1)), schedule.waitMs]).toEqual([5_000, retryWaitMsMax]);
  expect([schedule.next(changes(1, 0)), schedule.waitMs]).toEqual([5_000, 5_000]);

  expect([schedule.next(retry(1, 0, 6)), schedule.documentsMax]).toEqual([0, 2]);
  expect([schedule.next(retry(2, 0, 4)), schedule.documentsMax]).toEqual([0, 4]);
  expect([schedule.next(retry(0, 4)), schedule.documentsMax]).toEqual([0, 2]);
  expect([schedule.next(retry(0, 2, 4)), schedule.documentsMax]).toEqual([0, 1]);
  expect(Array.from({ length: 4 }, () => schedule.next(retry(0, 1, 4)))).toEqual([0, 0, 0, 10_000]);
  schedule.reset();
  expect([schedule.waitMs, schedule.documentsMax]).toEqual([5_000, Infinity]);
});
