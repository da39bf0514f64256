/**
 * Spreads the deliveries of an account that changes all the time, so that its changes do not wait for them: an endpoint rests
 * after each delivery. Pure.
 */

/** Two changes within this time mean that more of them follow. */
const busyMsMax = 100;
/** All endpoints of a busy account together get a delivery that often. */
const restMsPerEndpoint = 25;
/** An event that has waited so long is sent whatever it costs. */
const eventAgeMsMax = 60_000;

/** When an account changed, in milliseconds of the same clock as `now`. */
export interface AccountChanges {
  lastAt: number;
  beforeLastAt: number;
}

export interface PaceInput {
  now: number;
  changes: AccountChanges | undefined;
  endpoints: number;
  /** How long the event waited that was sent. */
  eventAgeMs: number;
}

export const withChange = (changes: AccountChanges | undefined, now: number): AccountChanges => ({
  lastAt: now,
  beforeLastAt: changes?.lastAt ?? -Infinity,
});

/** Returns how long an endpoint rests after a delivery, in milliseconds. */
export function restAfterDelivery({ now, changes, endpoints, eventAgeMs }: PaceInput): number {
  const isBusy = changes !== undefined && now - changes.beforeLastAt <= busyMsMax;
  return isBusy && eventAgeMs < eventAgeMsMax ? restMsPerEndpoint * endpoints : 0;
}
