/** The engine's source of time, which every module receives as an argument. */
export interface Clock {
  /** Milliseconds since 1970 by the wall clock, which may be wrong and may jump. */
  wallMs(): number;
  /** Milliseconds by a clock that never goes back within one `bootId`. The clock may stop while the device sleeps. */
  monotonicMs(): number;
  /** Identifies the page load or process. Values of `monotonicMs` with different boot ids cannot be compared. */
  bootId: string;
  /** Runs `call` once after `ms` milliseconds. Returns a function that cancels the timer. */
  schedule(ms: number, call: () => void): () => void;
}

/** One moment by the wall clock and by the monotonic clock. */
export interface Stamp {
  wall_ms: number;
  monotonic_ms: number;
  boot_id: string;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  // Uses no `crypto`, since a platform may lack it. This file must load even there, so that `openGemba` can name what
  // is missing.
  bootId: String(Math.random()),
  schedule: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** A clock that never returns an impossible time, such as a negative number or `NaN`. */
export interface TrustedClock extends Clock {
  stamp(): Stamp;
}

/**
 * Replaces an impossible monotonic time by the last one, and an impossible wall time by the last one plus the elapsed
 * monotonic time. A stamp with such a time gets a unique boot id, so the engine only estimates durations from or to it.
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
    schedule: (ms, call) => clock.schedule(Math.min(ms, timerDelayMsMax), call),
  };
}

const wallMsMax = Date.UTC(9999, 0, 1);
/** Tells whether a reading is a possible time: not negative, not `NaN`, and at most the beginning of the year 9999. */
export const isPossibleTime = (ms: number): boolean => ms >= 0 && ms <= wallMsMax;
const clampToPossibleTime = (ms: number): number => Math.min(Math.max(ms, 0), wallMsMax);
/** Limits a delay, since `setTimeout` fires at once if the delay exceeds a signed 32-bit integer. */
const timerDelayMsMax = 2 ** 31 - 1;

/** Formats a time as ISO 8601. An impossible time becomes the nearest possible time. */
export const isoTime = (wallMs: number): string => new Date(clampToPossibleTime(wallMs)).toISOString();
