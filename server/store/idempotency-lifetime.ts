/** How long the answers to requests with an `Idempotency-Key` are kept. The contract promises 72 hours. */
import type { IdempotentAnswer } from './store.ts';

const idempotencyKeyMsMax = 7 * 24 * 60 * 60 * 1000;

/** An account's keys from before this instant go when it writes new ones: no clock and no cross-account sweep is needed. */
export function keysKeptSince(answers: IdempotentAnswer[]): string {
  const newest = Math.max(...answers.map((answer) => Date.parse(answer.created_at)));
  return new Date(newest - idempotencyKeyMsMax).toISOString();
}
