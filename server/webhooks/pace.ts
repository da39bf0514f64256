/**
 * Slows the deliveries of an account that changes all the time, so that the deliveries do not delay the account's
 * changes: an endpoint rests after each delivery. Pure.
 */

/** An account counts as busy if it changed twice within this time. */
const busyMsMax = 100;
/**
 * An endpoint of a busy account rests this long for each endpoint of the account. All its endpoints together thus get
 * one delivery in this time.
 */
const restMsPerEndpoint = 25;
/** If the event that was just sent is this old, the endpoint does not rest. */
const eventAgeMsMax = 60_000;

/** The times of an account's last two changes, in milliseconds of the same clock as `now`. */
export interface LastTwoChanges {
  lastAt: number;
  beforeLastAt: number;
}

export interface PaceInput {
  now: number;
  changes: LastTwoChanges | undefined;
  endpoints: number;
  /** The age of the event that was just sent. */
  eventAgeMs: number;
}

export const withChange = (changes: LastTwoChanges | undefined, now: number): LastTwoChanges => ({
  lastAt: now,
  beforeLastAt: changes?.lastAt ?? -Infinity,
});

/** Returns how long an endpoint rests after a delivery, in milliseconds. */
export function restMsAfterDelivery({ now, changes, endpoints, eventAgeMs }: PaceInput): number {
  const isBusy = changes !== undefined && now - changes.beforeLastAt <= busyMsMax;
  return isBusy && eventAgeMs < eventAgeMsMax ? restMsPerEndpoint * endpoints : 0;
}
