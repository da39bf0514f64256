import { expect, test } from 'vitest';
import { RetryPace, retryWaitMsMax } from './retry-pace.ts';

const retry = (written: number, refused: number, waiting = refused) => ({ isRetry: true, written, refused, waiting });
const changes = (written: number, refused: number) => ({ isRetry: false, written, refused, waiting: refused });

test('[BRIDGE-19] while nothing is written the batch halves at once to one document, and then the wait doubles up to its maximum', () => {
  const pace = new RetryPace(5_000);
  expect([pace.next(changes(0, 10_000)), pace.waitMs, pace.documentsMax]).toEqual([5_000, 5_000, Infinity]);
  const batches: number[] = [];
  for (let refused = 10_000; refused > 1; refused = pace.documentsMax) {
    expect(pace.next(retry(0, refused, 10_000))).toBe(0);
    batches.push(pace.documentsMax);
  }
  expect(batches).toEqual([5_000, 2_500, 1_250, 625, 313, 157, 79, 40, 20, 10, 5, 3, 2, 1]);
  const alone = () => pace.next(retry(0, 1, 10_000));
  expect(Array.from({ length: 9 }, alone)).toEqual([0, 0, 0, 0, 0, 0, 0, 10_000, 0]);
  expect(pace.documentsMax).toBe(1);
  expect(new RetryPace(2 * retryWaitMsMax).next(retry(0, 1))).toBe(2 * retryWaitMsMax);
});

test('[BRIDGE-19] a document that waits alone is offered once a wait, also where the app wants none', () => {
  const pace = new RetryPace(0);
  const waits = Array.from({ length: 20 }, () => pace.next(retry(0, 1)));
  expect(waits.slice(0, 3)).toEqual([2, 4, 8]);
  expect(waits.at(-1)).toBe(retryWaitMsMax);
});

test('[BRIDGE-19] a written document ends the long wait, doubles the batch, and lets the others go on past some that are refused', () => {
  const pace = new RetryPace(5_000);
  for (let tries = 0; tries < 6; tries++) pace.next(retry(0, 1));
  expect([pace.next(changes(0, 1)), pace.waitMs]).toEqual([5_000, retryWaitMsMax]);
  expect([pace.next(changes(1, 0)), pace.waitMs]).toEqual([5_000, 5_000]);

  expect([pace.next(retry(1, 0, 6)), pace.documentsMax]).toEqual([0, 2]);
  expect([pace.next(retry(2, 0, 4)), pace.documentsMax]).toEqual([0, 4]);
  expect([pace.next(retry(0, 4)), pace.documentsMax]).toEqual([0, 2]);
  expect([pace.next(retry(0, 2, 4)), pace.documentsMax]).toEqual([0, 1]);
  expect(Array.from({ length: 4 }, () => pace.next(retry(0, 1, 4)))).toEqual([0, 0, 0, 10_000]);
  pace.reset();
  expect([pace.waitMs, pace.documentsMax]).toEqual([5_000, Infinity]);
});
