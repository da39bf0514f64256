/** Timers that fire when the test says so. */
import type { GembaOptions } from '../../client/client.ts';

interface Timer {
  ms: number;
  due: number;
  call: () => void;
}

export interface ManualTimers {
  clock: NonNullable<GembaOptions['clock']> & { schedule(ms: number, call: () => void): () => void };
  /** Fires the oldest timer of this length; throws when there is none. */
  fire(ms: number): void;
  has(ms: number): boolean;
  /** Lets this much time pass and fires the timers that are due, in order. */
  pass(ms: number): void;
}

export function manualTimers(): ManualTimers {
  const timers = new Set<Timer>();
  let now = 0;
  const fire = (timer: Timer) => {
    timers.delete(timer);
    timer.call();
  };
  const find = (ms: number) => [...timers].find((timer) => timer.ms === ms);
  return {
    clock: {
      schedule: (ms, call) => {
        const timer = { ms, due: now + ms, call };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    fire: (ms) => {
      const timer = find(ms);
      if (!timer) throw new Error(`no timer of ${ms} ms, but of ${[...timers].map((it) => it.ms).join(', ')}`);
      fire(timer);
    },
    has: (ms) => find(ms) !== undefined,
    pass: (ms) => {
      now += ms;
      const due = [...timers].filter((timer) => timer.due <= now).toSorted((a, b) => a.due - b.due);
      for (const timer of due) if (timers.has(timer)) fire(timer);
    },
  };
}
