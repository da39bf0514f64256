/** Decides what follows from a try to deliver an event. Pure. */
import type { DeliveryOutcome, DeliveryState } from '../store/webhooks/webhook-row.ts';
import type { WebhookAnswer } from './send/post-webhook.ts';
import { waitAfterFailure } from './retry-schedule.ts';

/** An endpoint that takes nothing for so long is disabled. */
const failingMsMax = 5 * 24 * 3_600_000;
const goneStatus = 410;

export interface Tried {
  version: number;
  answer: Pick<WebhookAnswer, 'status' | 'retryAfterMs'>;
  now: number;
  /** At least 0 and below 1. */
  random: number;
}

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Only a try that succeeded or was the last one moves the cursor, so that an endpoint gets events in order. */
export function stateAfter(
  before: DeliveryState,
  { version, answer: { status, retryAfterMs }, now, random }: Tried,
): { state: DeliveryState; outcome: DeliveryOutcome } {
  const at = new Date(now).toISOString();
  if (isSuccess(status)) {
    const taken = { cursor: version, tries: 0, next_attempt_at: null, failing_since: null, last_success_at: at };
    return { state: { ...before, ...taken }, outcome: 'delivered' };
  }
  const tries = before.tries + 1;
  const failing_since = before.failing_since ?? at;
  const isGivenUp = status === goneStatus || now - Date.parse(failing_since) >= failingMsMax;
  const waitMs = waitAfterFailure(tries, { askedMs: retryAfterMs ?? 0, random });
  // A disabled endpoint goes on with this event once it is enabled.
  if (isGivenUp) {
    const disabled = { is_disabled: true, tries: 0, next_attempt_at: null, failing_since };
    return { state: { ...before, ...disabled }, outcome: 'failed' };
  }
  if (waitMs === undefined) {
    const aside = { cursor: version, tries: 0, next_attempt_at: null, failing_since };
    return { state: { ...before, ...aside }, outcome: 'set_aside' };
  }
  const next_attempt_at = new Date(now + waitMs).toISOString();
  return { state: { ...before, tries, failing_since, next_attempt_at }, outcome: 'failed' };
}
