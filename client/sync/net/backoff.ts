/** How long the sync waits before it tries again. Pure. */
export const backoffMsMin = 1_000;
export const backoffMsMax = 60_000;
/** A blocked sync is tried again after these times, since its cause may have ended, or a proxy may be the cause. */
export const blockedMsMin = 20_000;
export const blockedMsMax = 15 * 60_000;
/** The longest wait that `Retry-After` can cause. */
export const retryAfterMsMax = 60 * 60_000;

export const backoffMs = (failures: number, random: number): number =>
  exponentialMs(failures, { min: backoffMsMin, max: backoffMsMax, random });

/** Exponential backoff: half of the delay is fixed and half random ("equal jitter", Brooker 2015). */
export function exponentialMs(
  times: number,
  { min, max, random }: { min: number; max: number; random: number },
): number {
  const ceiling = Math.min(max, min * 2 ** Math.min(times, 16));
  return ceiling / 2 + (ceiling / 2) * random;
}
