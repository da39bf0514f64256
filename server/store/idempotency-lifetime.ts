/**
 * When a request with an `Idempotency-Key` stores a reply, decides which older stored replies may be deleted. The API
 * promises to keep a reply for 72 hours. If an account sends no more such requests, `retention.ts` deletes its replies
 * after 30 days.
 *
 * If the server's clock is ahead for a moment, replies look older than they are. The age of a reply is therefore
 * measured only up to the creation of the newest stored idempotency key.
 */
import type { AccountLimits } from './account-limits.ts';

const hourMs = 60 * 60 * 1000;
const replyLifetimeMsMax = 7 * 24 * hourMs;
const replyLifetimeMsMin = 72 * hourMs;

/**
 * A stored idempotency key's place in the account's history: the number of earlier idempotency keys, and the total size
 * of their replies.
 */
export interface IdempotencyKeyPosition {
  keys_before: number;
  bytes_before: number;
  created_at: string;
}

/** Counts all idempotency keys that the account ever stored, deleted ones included. */
interface IdempotencyCounters {
  keys_made: number;
  key_bytes_made: number;
}

/** The oldest and the newest idempotency key that the store has for an account. */
export interface IdempotencyKeySpan {
  oldest: IdempotencyKeyPosition;
  newest: IdempotencyKeyPosition;
}

interface IdempotencyCapacityQuery {
  /** undefined if the store has no idempotency key of the account. */
  span: IdempotencyKeySpan | undefined;
  counters: IdempotencyCounters;
  limits: Pick<AccountLimits, 'idempotencyKeysMax' | 'idempotencyBytesMax'>;
  now: string;
}

export type IdempotencyCapacityOutcome = { ok: true; deletedBefore: string } | { ok: false; retryAfterSecs: number };

/**
 * Decides whether the account may store one more idempotency key, and before which time stored keys are deleted.
 * Refuses the new key if keys younger than 72 hours already reach a limit.
 */
export function checkIdempotencyCapacity({
  span,
  counters: made,
  limits,
  now,
}: IdempotencyCapacityQuery): IdempotencyCapacityOutcome {
  if (!span) return { ok: true, deletedBefore: isoInstant(Date.parse(now) - replyLifetimeMsMax) };
  const { oldest, newest } = span;
  const confirmedMs = Math.min(Date.parse(now), Date.parse(newest.created_at));
  const isFull =
    made.keys_made - oldest.keys_before >= limits.idempotencyKeysMax ||
    made.key_bytes_made - oldest.bytes_before >= limits.idempotencyBytesMax;
  if (!isFull) return { ok: true, deletedBefore: isoInstant(confirmedMs - replyLifetimeMsMax) };
  // Measure the age by the clock here. The newest stored key cannot confirm the clock's time, since a full account
  // stores no new keys.
  const leftMs = Date.parse(oldest.created_at) + replyLifetimeMsMin - Date.parse(now);
  if (leftMs < 0) return { ok: true, deletedBefore: isoInstant(Date.parse(now) - replyLifetimeMsMin) };
  return { ok: false, retryAfterSecs: Math.max(1, Math.ceil(leftMs / 1000)) };
}

const isoInstant = (ms: number): string => new Date(ms).toISOString();
