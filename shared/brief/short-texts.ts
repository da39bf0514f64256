/**
 * Shortens UUIDs, hashes and times, and restores them. Each function throws `NoBriefFormError` for a value that it
 * cannot convert.
 */
import { NoBriefFormError } from './no-brief-form.ts';

const hashPattern = /^[0-9a-f]{32}$/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const shortHashPattern = /^[\w-]{22}$/;

/** Shortens 32 lower-case hexadecimal digits to 22 characters of base64url. */
export function shortenHash(hash: string): string {
  if (!hashPattern.test(hash)) throw new NoBriefFormError();
  const bytes = hash.match(/../g)!.map((digits) => Number.parseInt(digits, 16));
  return btoa(String.fromCharCode(...bytes))
    .slice(0, 22)
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

export function restoreHash(short: unknown): string {
  if (!isShortHash(short)) throw new NoBriefFormError();
  const bytes = atob(short.replaceAll('-', '+').replaceAll('_', '/'));
  return [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

/** Shortens a UUID. Any other id stays as it is, unless it looks like a shortened UUID, which is refused. */
export function shortenId(id: unknown): string {
  if (typeof id !== 'string' || shortHashPattern.test(id)) throw new NoBriefFormError();
  return uuidPattern.test(id) ? shortenHash(id.replaceAll('-', '')) : id;
}

export function restoreId(id: unknown): string {
  if (typeof id !== 'string') throw new NoBriefFormError();
  return isShortHash(id) ? restoreHash(id).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : id;
}

const isShortHash = (text: unknown): text is string => typeof text === 'string' && shortHashPattern.test(text);

/** Converts a time to milliseconds since 1970, if they can be converted back to the same text. */
export function msOfTime(time: unknown): number {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(ms) || timeOfMs(ms) !== time) throw new NoBriefFormError();
  return ms;
}

export function timeOfMs(ms: unknown): string {
  if (!Number.isSafeInteger(ms) || Math.abs(ms as number) > timeMsMax) throw new NoBriefFormError();
  return new Date(ms as number).toISOString();
}

/** The latest time that a JavaScript `Date` can have. */
const timeMsMax = 8.64e15;
