/** The engine's source of time. `openGemba` takes it, and everything below gets it as an argument. */
export interface Clock {
  /** Milliseconds since 1970 by the wall clock, which may be wrong and may jump. */
  wallMs(): number;
  /** Milliseconds by a clock that never goes back while `bootId` stays the same; it may stand still during sleep. */
  monotonicMs(): number;
  /** Identifies the period in which `monotonicMs` counts on: a page load, or a process. */
  bootId: string;
  /** Calls once after `ms`; the returned function cancels the call. */
  schedule(ms: number, call: () => void): () => void;
}

/** A moment as the wall clock and the monotonic clock give it, with the boot id. */
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

/** A clock whose readings are always possible times, since an impossible one would break a recording. */
export interface TrustedClock extends Clock {
  /** Reads both clocks now. */
  stamp(): Stamp;
}

/**
 * Replaces an impossible reading: the monotonic clock keeps its last value, and the wall clock advances with the
 * monotonic one. Such a moment gets its own boot id, so that durations to and from it are marked as estimated.
 */
export function toTrustedClock(clock: Clock): TrustedClock {
  let last = { wall_ms: 0, monotonic_ms: 0 };
  let implausibleCount = 0;
  const stamp = (): Stamp => {
    const [wall, monotonic] = [clock.wallMs(), clock.monotonicMs()];
    const monotonic_ms = isPossibleTime(monotonic) ? monotonic : last.monotonic_ms;
    const wall_ms = isPossibleTime(wall) ? wall : clampToPossibleTime(last.wall_ms + monotonic_ms - last.monotonic_ms);
    last = { wall_ms, monotonic_ms };
    const isPlausible = isPossibleTime(wall) && isPossibleTime(monotonic);
    return { ...last, boot_id: isPlausible ? clock.bootId : `${clock.bootId} unsure ${++implausibleCount}` };
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
/** Tells whether a reading is a possible time, up to the year 9999. */
export const isPossibleTime = (ms: number): boolean => ms >= 0 && ms <= wallMsMax;
const clampToPossibleTime = (ms: number): number => Math.min(Math.max(ms, 0), wallMsMax);
/** Timers take a signed 32-bit delay and fire at once if it is larger. */
const timerMsMax = 2 ** 31 - 1;

/** Clamps to the possible times, since an imported row may hold a number outside them. */
export const isoTime = (wallMs: number): string => new Date(clampToPossibleTime(wallMs)).toISOString();
