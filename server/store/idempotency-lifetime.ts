/**
 * Decides how long and how many answers to requests with an `Idempotency-Key` are kept. The API promises 72 hours.
 *
 * A clock that jumps ahead during one request must not delete answers. The age of a key is therefore measured from the
 * earlier of two instants: now, and the creation of the newest remembered key.
 */
import type { AccountLimits } from './account-limits.ts';

const hourMs = 60 * 60 * 1000;
const lifetimeMsMax = 7 * 24 * hourMs;
const lifetimeMsMin = 72 * hourMs;

/** The position of a remembered key among all keys that its account ever made. */
export interface IdempotencyPosition {
  keys_before: number;
  bytes_before: number;
  created_at: string;
}

/** The account's counters of all keys ever made. */
interface IdempotencyCounters {
  keys_made: number;
  key_bytes_made: number;
}

/** The oldest and the newest remembered key of an account. */
export interface IdempotencySpan {
  oldest: IdempotencyPosition;
  newest: IdempotencyPosition;
}

interface CapacityQuery {
  /** undefined when the account remembers no key. */
  span: IdempotencySpan | undefined;
  counters: IdempotencyCounters;
  limits: Pick<AccountLimits, 'idempotencyKeysMax' | 'idempotencyBytesMax'>;
  now: string;
}

export type IdempotencyCapacity = { ok: true; deletedBefore: string } | { ok: false; retryAfterSecs: number };

/** Decides which keys to delete when one more is added; refuses the new key when the account is full of young keys. */
export function checkIdempotencyCapacity({ span, counters: made, limits, now }: CapacityQuery): IdempotencyCapacity {
  if (!span) return { ok: true, deletedBefore: instantOf(Date.parse(now) - lifetimeMsMax) };
  const { oldest, newest } = span;
  const confirmedMs = Math.min(Date.parse(now), Date.parse(newest.created_at));
  const isFull =
    made.keys_made - oldest.keys_before >= limits.idempotencyKeysMax ||
    made.key_bytes_made - oldest.bytes_before >= limits.idempotencyBytesMax;
  if (!isFull) return { ok: true, deletedBefore: instantOf(confirmedMs - lifetimeMsMax) };
  // A full account gets no newer key that could confirm the clock, so the clock alone decides here.
  const leftMs = Date.parse(oldest.created_at) + lifetimeMsMin - Date.parse(now);
  if (leftMs < 0) return { ok: true, deletedBefore: instantOf(Date.parse(now) - lifetimeMsMin) };
  return { ok: false, retryAfterSecs: Math.max(1, Math.ceil(leftMs / 1000)) };
}

const instantOf = (ms: number): string => new Date(ms).toISOString();
