/**
 * Checks that the platform has all APIs that the engine needs. The start of the app does not load this file, since a
 * current browser has all of these APIs.
 */
import { GembaError } from './errors.ts';

const neededApis: [name: string, isThere: () => boolean][] = [
  ['crypto.subtle.digest', () => typeof globalThis.crypto?.subtle?.digest === 'function'],
  ['crypto.getRandomValues', () => typeof globalThis.crypto?.getRandomValues === 'function'],
  ['TextEncoder', () => typeof TextEncoder === 'function'],
  ['TextDecoder', () => typeof TextDecoder === 'function'],
  ['AbortController', () => typeof AbortController === 'function'],
  ['performance.now', () => typeof globalThis.performance?.now === 'function'],
];

/** Throws `unsupported_platform` with the names of the missing APIs and a remedy. */
export function requirePlatform(): void {
  const missing = neededApis.filter(([, isThere]) => !isThere()).map(([name]) => name);
  if (missing.length > 0) throw unsupportedError(`${missing.join(', ')}. ${remedyText()}`);
}

/** Names the remedy. A browser offers `crypto.subtle` only to pages of a secure context. */
const remedyText = (): string =>
  globalThis.isSecureContext === false
    ? 'Open this page over https.'
    : 'Load a polyfill of each before the engine is imported.';

/** Builds the error. `lacking` completes its sentence: the names of the missing APIs, a period and the remedy. */
export const unsupportedError = (lacking: string): GembaError =>
  new GembaError({ code: 'unsupported_platform', detail: `This platform lacks ${lacking}` });
