/** The engine's time. It comes in at `openGemba`; everything below takes it as an argument. */
export interface Clock {
  /** Milliseconds since 1970 by the wall clock, which may be wrong and may jump. */
  wallMs(): number;
  /** Milliseconds by a clock that never goes back while `bootId` stays the same; it may stand still during sleep. */
  monotonicMs(): number;
  /** Names the span in which `monotonicMs` counts on: a page load, a process. */
  bootId: string;
  /** Calls once after `ms`; the returned function cancels. */
  schedule(ms: number, call: () => void): () => void;
}

/** A moment by the wall clock, the monotonic clock and the boot. */
export interface Stamp {
  wall_ms: number;
  monotonic_ms: number;
  boot_id: string;
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

/** A clock without impossible readings, which would break a recording. */
export interface TrustedClock extends Clock {
  /** Answers the present moment. */
  stamp(): Stamp;
}

/**
 * Replaces a reading that is no time by the last one, or by the other clock's progress. Such a moment gets a boot id of its
 * own, so that durations to and from it count as estimated.
 */
export function trusted(clock: Clock): TrustedClock {
  let last = { wall_ms: 0, monotonic_ms: 0 };
  let unsure = 0;
  const stamp = (): Stamp => {
    const [wall, monotonic] = [clock.wallMs(), clock.monotonicMs()];
    const monotonic_ms = isTime(monotonic) ? monotonic : last.monotonic_ms;
    const wall_ms = isTime(wall) ? wall : within(last.wall_ms + monotonic_ms - last.monotonic_ms);
    last = { wall_ms, monotonic_ms };
    const isSure = isTime(wall) && isTime(monotonic);
    return { ...last, boot_id: isSure ? clock.bootId : `${clock.bootId} unsure ${++unsure}` };
  };
  return {
    ...clock,
    stamp,
    wallMs: () => stamp().wall_ms,
    monotonicMs: () => stamp().monotonic_ms,
    schedule: (ms, call) => clock.schedule(Math.min(ms, timerMsMax), call),
  };
}

const wallMsMax = Date.UTC(9999, 0, 1);
/** Tells whether a reading is a possible time. */
export const isTime = (ms: number): boolean => ms >= 0 && ms <= wallMsMax;
const within = (ms: number): number => Math.min(Math.max(ms, 0), wallMsMax);
/** Timers take 32 bits and fire at once beyond them. */
const timerMsMax = 2 ** 31 - 1;

/** Clamps to the range of times: a row that was imported once may hold a number beyond it. */
export const isoTime = (wallMs: number): string => new Date(within(wallMs)).toISOString();
