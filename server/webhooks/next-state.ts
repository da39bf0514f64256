/** Decides the state of an endpoint after an attempt to deliver an event. Pure. */
import type { DeliveryOutcome, DeliveryState } from '../store/webhooks/webhook-row.ts';
import { retryWaitMs } from './retry-schedule.ts';
import type { WebhookResponse } from './send/post-webhook.ts';

/** An endpoint whose deliveries fail for this long is disabled. */
const failingMsMax = 5 * 24 * 3_600_000;
const goneStatus = 410;
const newEventMsMax = 60_000;

export interface DeliveryAttempt {
  version: number;
  response: Pick<WebhookResponse, 'status' | 'retryAfterMs'>;
  now: number;
  /** When the event was made, in milliseconds since 1970. */
  createdAt: number;
  /** At least 0 and below 1. */
  random: number;
}

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/**
 * Returns the endpoint's new state and the outcome of the attempt. The cursor moves past the event only if the attempt
 * succeeded or no further attempt is left, so that an endpoint gets events in order.
 */
export function stateAfterAttempt(
  before: DeliveryState,
  { version, response: { status, retryAfterMs }, now, createdAt, random }: DeliveryAttempt,
): { state: DeliveryState; outcome: DeliveryOutcome } {
  const at = new Date(now).toISOString();
  if (isSuccess(status)) {
    const taken = { cursor: version, tries: 0, next_attempt_at: null, last_success_at: at };
    return { state: { ...before, ...taken, failing_since: null, failing_from: null }, outcome: 'delivered' };
  }
  const earlierFailure = hasEventWaiting(before, now - createdAt) ? failureStartOf(before) : undefined;
  const failing_since = earlierFailure?.failing_since ?? at;
  const failing_from = earlierFailure?.failing_from ?? before.cursor;
  const failing = { ...before, failing_since, failing_from };
  if (status === goneStatus) return { state: disabledState(failing, 'gone'), outcome: 'failed' };
  // Move the cursor back to `failing_from`. Once the endpoint is enabled, events that were set aside are then sent
  // again, in order.
  if (now - Date.parse(failing_since) >= failingMsMax) {
    return { state: { ...disabledState(failing, 'failing'), cursor: failing_from }, outcome: 'failed' };
  }
  const tries = before.tries + 1;
  const waitMs = retryWaitMs(tries, { askedMs: retryAfterMs ?? 0, random });
  if (waitMs === undefined) {
    return { state: { ...failing, cursor: version, tries: 0, next_attempt_at: null }, outcome: 'set_aside' };
  }
  return { state: { ...failing, tries, next_attempt_at: new Date(now + waitMs).toISOString() }, outcome: 'failed' };
}

/**
 * Returns true if this event waited before the attempt, or an earlier event was set aside. Otherwise the endpoint
 * begins to fail with this attempt.
 */
const hasEventWaiting = ({ tries, cursor, failing_from }: DeliveryState, eventAgeMs: number): boolean =>
  tries > 0 || eventAgeMs >= newEventMsMax || (failing_from !== null && failing_from < cursor);

function failureStartOf({ failing_since, failing_from }: DeliveryState): {
  failing_since?: string;
  failing_from?: number;
} {
  return failing_since === null || failing_from === null ? {} : { failing_since, failing_from };
}

const disabledState = (state: DeliveryState, reason: 'gone' | 'failing'): DeliveryState => ({
  ...state,
  disabled_reason: reason,
  tries: 0,
  next_attempt_at: null,
});
