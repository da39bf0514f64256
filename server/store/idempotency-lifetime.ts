/**
 * How long the answers to requests with an `Idempotency-Key` are kept, and how many. The contract promises 72 hours.
 *
 * A clock that is wrong for one request must forget nothing, so that an age counts only as far as the key before says the
 * same: it is taken from the earlier of now and the instant of the newest key that is remembered.
 */
import type { AccountLimits } from './account-limits.ts';

const hourMs = 60 * 60 * 1000;
const lifetimeMsMax = 7 * 24 * hourMs;
const lifetimeMsMin = 72 * hourMs;

/** A remembered key's place among all that its account ever made. */
export interface KeyPlace {
  keys_before: number;
  bytes_before: number;
  created_at: string;
}

/** Made in all, ever. */
interface KeysMade {
  keys_made: number;
  key_bytes_made: number;
}

/** The first and the last of an account's keys that are remembered. */
export interface KeySpan {
  oldest: KeyPlace;
  newest: KeyPlace;
}

interface KeyQuestion {
  /** undefined where none is remembered. */
  span: KeySpan | undefined;
  made: KeysMade;
  limits: Pick<AccountLimits, 'keysRememberedMax' | 'keyBytesRememberedMax'>;
  now: string;
}

export type KeyRoom = { ok: true; forgottenBefore: string } | { ok: false; retryAfterSecs: number };

/** Which keys may go when one more comes; no room where all that are remembered are young. */
export function keyRoom({ span, made, limits, now }: KeyQuestion): KeyRoom {
  if (!span) return { ok: true, forgottenBefore: instantOf(Date.parse(now) - lifetimeMsMax) };
  const { oldest, newest } = span;
  const sureMs = Math.min(Date.parse(now), Date.parse(newest.created_at));
  const isFull =
    made.keys_made - oldest.keys_before >= limits.keysRememberedMax ||
    made.key_bytes_made - oldest.bytes_before >= limits.keyBytesRememberedMax;
  if (!isFull) return { ok: true, forgottenBefore: instantOf(sureMs - lifetimeMsMax) };
  // Now alone counts here: an account that may remember no more has no newer key to tell that time passes.
  const leftMs = Date.parse(oldest.created_at) + lifetimeMsMin - Date.parse(now);
  if (leftMs < 0) return { ok: true, forgottenBefore: instantOf(Date.parse(now) - lifetimeMsMin) };
  return { ok: false, retryAfterSecs: Math.max(1, Math.ceil(leftMs / 1000)) };
}

const instantOf = (ms: number): string => new Date(ms).toISOString();
