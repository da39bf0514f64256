/** Decides when a failed delivery is attempted again, with the waits that Standard Webhooks recommends. */

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The waits after the first failed attempt, the second and so on. If no wait is left, the event is set aside. */
const waitsMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** Caps the wait that `Retry-After` asks for. */
const askedWaitMsMax = hourMs;
/** Spreads the attempts of endpoints that failed together. */
const jitterRatio = 0.1;

/** Returns milliseconds, or undefined if the event must be set aside. `random` is at least 0 and below 1. */
export function retryWaitMs(
  failedAttempts: number,
  { askedMs = 0, random }: { askedMs?: number; random: number },
): number | undefined {
  const planned = waitsMs[failedAttempts - 1];
  if (planned === undefined) return undefined;
  return Math.max(planned * (1 + jitterRatio * random), Math.min(askedMs, askedWaitMsMax));
}
