/** A clock whose timers fire when a test says so. */
interface Timer {
  dueMs: number;
  call: () => void;
}

export interface HandClock {
  schedule(ms: number, call: () => void): () => void;
  monotonicMs(): number;
  /** Fires the timers of the next milliseconds, in their order. */
  advance(ms: number): void;
}

export function handClock(): HandClock {
  let nowMs = 0;
  const timers = new Set<Timer>();
  const nextBefore = (endMs: number) =>
    [...timers].filter(({ dueMs }) => dueMs <= endMs).toSorted((a, b) => a.dueMs - b.dueMs)[0];
  return {
    schedule(ms, call) {
      const timer = { dueMs: nowMs + ms, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    monotonicMs: () => nowMs,
    advance(ms) {
      const endMs = nowMs + ms;
      for (let timer = nextBefore(endMs); timer; timer = nextBefore(endMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.dueMs);
        timer.call();
      }
      nowMs = endMs;
    },
  };
}
