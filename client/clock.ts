/** Time as the engine sees it. It comes in at `openGemba`; everything below takes it as an argument. */
export interface Clock {
  /** Milliseconds since 1970 by the wall clock, which may be wrong and may jump. */
  wallMs(): number;
  /** Milliseconds by a clock that never goes back while `bootId` stays the same; it may stand still during sleep. */
  monotonicMs(): number;
  /** Names the span in which `monotonicMs` counts on: a page load, a process. */
  bootId: string;
  /** Calls once after `ms`; the answer cancels. */
  schedule(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  bootId: crypto.randomUUID(),
  schedule: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** The same clock, its readings kept within what an instant can say: a broken clock must not break a recording. */
export function trusted(clock: Clock): Clock {
  return {
    ...clock,
    wallMs: () => within(clock.wallMs(), wallMsMax),
    monotonicMs: () => within(clock.monotonicMs(), wallMsMax),
    schedule: (ms, call) => clock.schedule(Math.min(ms, timerMsMax), call),
  };
}

const within = (ms: number, max: number): number => (Number.isFinite(ms) ? Math.min(Math.max(ms, 0), max) : 0);

const wallMsMax = Date.UTC(9999, 0, 1);
/** Timers take 32 bits and fire at once beyond them. */
const timerMsMax = 2 ** 31 - 1;

export const isoTime = (wallMs: number): string => new Date(wallMs).toISOString();
