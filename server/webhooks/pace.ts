/**
 * Slows the deliveries of an account that changes all the time, so that they do not delay its changes: an endpoint
 * rests after each delivery. Pure.
 */

/** An account counts as busy if it changed twice within this time. */
const busyMsMax = 100;
/** The endpoints of a busy account together get one delivery in this time. */
const restMsPerEndpoint = 25;
/** If events get older than this, the endpoint no longer rests. */
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
