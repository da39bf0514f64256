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

export const isoTime = (wallMs: number): string => new Date(wallMs).toISOString();
