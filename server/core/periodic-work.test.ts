import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPeriodicWork } from './periodic-work.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first round comes after its time, and the others a pause after the one before, also after a failure', async () => {
  let rounds = 0;
  const bugs: unknown[] = [];
  const work = async () => {
    rounds += 1;
    if (rounds === 1) throw new Error('first');
  };
  const { stop } = startPeriodicWork({ work, firstMs: 600, pauseMs: 3_600, onBug: (bug) => void bugs.push(bug) });
  await vi.advanceTimersByTimeAsync(599);
  expect(rounds).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect([rounds, bugs]).toEqual([1, [new Error('first')]]);
  await vi.advanceTimersByTimeAsync(3_599);
  expect(rounds).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(rounds).toBe(2);
  await stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(rounds).toBe(2);
});

test('a stop aborts the round under way, waits for its end, and begins no other', async () => {
  const done: string[] = [];
  const work = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        done.push('ended');
        resolve();
      });
    });
  const { stop, runSoon } = startPeriodicWork({ work, pauseMs: 1, onBug: expect.unreachable });
  runSoon();
  await stop();
  await vi.advanceTimersByTimeAsync(100);
  expect(done).toEqual(['ended']);
});
