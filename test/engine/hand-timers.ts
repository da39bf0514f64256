/** Time that a test lets pass: a timer fires when the test says so. */
import type { GembaOptions } from '../../client/client.ts';

interface Timer {
  ms: number;
  call: () => void;
}

export interface HandTimers {
  clock: NonNullable<GembaOptions['clock']> & { schedule(ms: number, call: () => void): () => void };
  /** Fires the oldest timer of this length; throws when there is none. */
  fire(ms: number): void;
  has(ms: number): boolean;
}

export function handTimers(): HandTimers {
  const timers = new Set<Timer>();
  const find = (ms: number) => [...timers].find((timer) => timer.ms === ms);
  return {
    clock: {
      schedule: (ms, call) => {
        const timer = { ms, call };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    fire: (ms) => {
      const timer = find(ms);
      if (!timer) throw new Error(`no timer of ${ms} ms, but of ${[...timers].map((it) => it.ms).join(', ')}`);
      timers.delete(timer);
      timer.call();
    },
    has: (ms) => find(ms) !== undefined,
  };
}
