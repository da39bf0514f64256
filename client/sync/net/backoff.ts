export const backoffMsMin = 1_000;
export const backoffMsMax = 60_000;
/** A blocked sync tries again by itself, since a person may have solved the problem elsewhere. */
export const blockedRetryMsMin = 20_000;
export const blockedRetryMsMax = 15 * 60_000;
/** The longest wait that a header `Retry-After` can cause. */
export const retryAfterMsMax = 60 * 60_000;

export const backoffMsAfter = (failures: number, random: number): number =>
  exponentialBackoffMs(failures, { min: backoffMsMin, max: backoffMsMax, random });

/** Computes an exponential backoff: half of the delay is fixed and half is random ("equal jitter", Brooker 2015). */
export function exponentialBackoffMs(
  times: number,
  { min, max, random }: { min: number; max: number; random: number },
): number {
  const ceiling = Math.min(max, min * 2 ** Math.min(times, 16));
  return ceiling / 2 + (ceiling / 2) * random;
}
