/**
 * Decides how long, and how many, replies to requests with an `Idempotency-Key` are kept. The API promises 72 hours. The
 * server's clock may jump ahead for a moment, which must not delete replies too early. The clock's time is therefore
 * trusted only up to the creation of the newest stored idempotency key. If the clock is right, the next request confirms
 * it.
 */
import type { AccountLimits } from './account-limits.ts';

const hourMs = 60 * 60 * 1000;
const lifetimeMsMax = 7 * 24 * hourMs;
const lifetimeMsMin = 72 * hourMs;

/**
 * The position of a stored idempotency key: the number of the account's earlier idempotency keys, and the total size of the
 * replies to them.
 */
export interface IdempotencyPosition {
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
export interface IdempotencySpan {
  oldest: IdempotencyPosition;
  newest: IdempotencyPosition;
}

interface IdempotencyCapacityQuery {
  /** undefined if the store has no idempotency key of the account. */
  span: IdempotencySpan | undefined;
  counters: IdempotencyCounters;
  limits: Pick<AccountLimits, 'idempotencyKeysMax' | 'idempotencyBytesMax'>;
  now: string;
}

export type IdempotencyCapacity = { ok: true; deletedBefore: string } | { ok: false; retryAfterSecs: number };

/**
 * Decides whether the account may store one more idempotency key, and which old ones the store then deletes. Refuses the
 * new key if the account has reached a limit with keys younger than the promised 72 hours.
 */
export function checkIdempotencyCapacity({
  span,
  counters: made,
  limits,
  now,
}: IdempotencyCapacityQuery): IdempotencyCapacity {
  if (!span) return { ok: true, deletedBefore: isoInstant(Date.parse(now) - lifetimeMsMax) };
  const { oldest, newest } = span;
  const confirmedMs = Math.min(Date.parse(now), Date.parse(newest.created_at));
  const isFull =
    made.keys_made - oldest.keys_before >= limits.idempotencyKeysMax ||
    made.key_bytes_made - oldest.bytes_before >= limits.idempotencyBytesMax;
  if (!isFull) return { ok: true, deletedBefore: isoInstant(confirmedMs - lifetimeMsMax) };
  // A full account stores no newer idempotency key that could confirm the clock's time, so here the clock is trusted.
  const leftMs = Date.parse(oldest.created_at) + lifetimeMsMin - Date.parse(now);
  if (leftMs < 0) return { ok: true, deletedBefore: isoInstant(Date.parse(now) - lifetimeMsMin) };
  return { ok: false, retryAfterSecs: Math.max(1, Math.ceil(leftMs / 1000)) };
}

const isoInstant = (ms: number): string => new Date(ms).toISOString();
