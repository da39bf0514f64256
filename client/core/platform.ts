/**
 * Checks that the platform has all that the engine needs. The app loads this file only on demand, since a current
 * browser has it all.
 */
import { GembaError } from './errors.ts';

const neededParts: [name: string, isThere: () => boolean][] = [
  ['crypto.subtle.digest', () => typeof globalThis.crypto?.subtle?.digest === 'function'],
  ['crypto.getRandomValues', () => typeof globalThis.crypto?.getRandomValues === 'function'],
  ['TextEncoder', () => typeof TextEncoder === 'function'],
  ['TextDecoder', () => typeof TextDecoder === 'function'],
  ['AbortController', () => typeof AbortController === 'function'],
  ['performance.now', () => typeof globalThis.performance?.now === 'function'],
];

/** Throws `unsupported_platform` with the names of the missing parts and a remedy. */
export function requirePlatform(): void {
  const missing = neededParts.filter(([, isThere]) => !isThere()).map(([name]) => name);
  if (missing.length > 0) throw unsupportedError(`${missing.join(', ')}. ${remedy()}`);
}

/** Names the remedy. A browser offers `crypto.subtle` only to pages of a secure context. */
const remedy = (): string =>
  globalThis.isSecureContext === false
    ? 'Open this page over https.'
    : 'Load a polyfill of each before the engine is imported.';

/** Builds the error. `lacking` names what is missing, and then the remedy. */
export const unsupportedError = (lacking: string): GembaError =>
  new GembaError({ code: 'unsupported_platform', detail: `This platform lacks ${lacking}` });
