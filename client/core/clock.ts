/** The engine's source of time. `openGemba` takes it, and everything below gets it as an argument. */
export interface Clock {
  /** Milliseconds since 1970 by the wall clock, which may be wrong and may jump. */
  wallMs(): number;
  /** Milliseconds by a clock that never goes back within one `bootId`. The clock may stop while the device sleeps. */
  monotonicMs(): number;
  /** Identifies the page load or process. Values of `monotonicMs` with different boot ids cannot be compared. */
  bootId: string;
  /** Runs `call` once after `ms`; the returned function cancels that. */
  schedule(ms: number, call: () => void): () => void;
}

/** One moment, as read from the wall clock and from the monotonic clock. */
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

/** A clock whose readings are always possible times: a negative time or `NaN` would break a recording. */
export interface TrustedClock extends Clock {
  /** Reads both clocks. */
  stamp(): Stamp;
}

/**
 * Replaces impossible readings: the monotonic clock keeps its last value, and the wall clock advances with the monotonic
 * clock. A stamp with a replaced reading gets a boot id of its own, so that its durations are marked as estimated.
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
/** Tells whether a reading is a possible time: not negative, not `NaN`, and not after the year 9998. */
export const isPossibleTime = (ms: number): boolean => ms >= 0 && ms <= wallMsMax;
const clampToPossibleTime = (ms: number): number => Math.min(Math.max(ms, 0), wallMsMax);
/** A timer takes a signed 32-bit delay and fires at once if the delay is larger. */
const timerDelayMsMax = 2 ** 31 - 1;

/** Formats a time as ISO 8601. An impossible time, which an imported row may have, becomes the nearest possible time. */
export const isoTime = (wallMs: number): string => new Date(clampToPossibleTime(wallMs)).toISOString();
