/** Reads the texts of environment variables. Each parser returns undefined if the text is invalid. */
import { bytesPerMiB, type AccountLimits } from './store/account-limits.ts';
import type { RateLimit } from './store/limits/rate-limits.ts';

export interface EnvironmentVariable<Value> {
  name: string;
  valueIfUnset: Value;
  /** Returns undefined if the text is invalid. */
  read(text: string): Value | undefined;
  /** Describes the valid values. The text completes the sentence "NAME must be …". */
  expected: string;
  /** Keeps the value out of error messages. */
  isSecret?: boolean;
}

export function parseAnyText(text: string): string {
  return text;
}

export function createPatternParser(pattern: RegExp): (text: string) => string | undefined {
  return (text) => (pattern.test(text) ? text : undefined);
}

/** Refuses a URL with a user name or password, since the URL becomes part of links that people see. */
export function parsePublicUrl(text: string): string | undefined {
  const isAddress = /^https?:\/\/[^/?#@\s]+\/?$/.test(text) && URL.canParse(text);
  return isAddress ? text.replace(/\/$/, '') : undefined;
}

export function parseRateLimit(text: string): RateLimit | undefined {
  const [, requests, secs] = /^(\d{1,9})\/(\d{1,6})$/.exec(text) ?? [];
  const limit = { requests: Number(requests), secs: Number(secs) };
  return limit.requests >= 1 && limit.secs >= 1 ? limit : undefined;
}

export function parseStorageLimits(text: string): AccountLimits['storedBytesMax'] | undefined {
  const [, free, team] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const bytes = { free: Number(free) * bytesPerMiB, team: Number(team) * bytesPerMiB };
  return bytes.free >= 1 && bytes.team >= 1 ? bytes : undefined;
}
