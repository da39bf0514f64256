/** Converts bytes to base64url text without padding (RFC 4648, 5) and back. */
import type { Bytes } from './byte-reader.ts';

/** `String.fromCharCode` takes the bytes as arguments, and too many arguments overflow the stack. */
const bytesPerPart = 8_192;

export function toBase64url(bytes: Bytes): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += bytesPerPart) {
    text += String.fromCharCode(...bytes.subarray(from, from + bytesPerPart));
  }
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns how many bytes the text encodes. */
export const bytesInBase64url = (text: string): number => Math.floor((text.length * 3) / 4);

/** Returns undefined if the text is not base64url. */
export function fromBase64url(text: string): Bytes | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  // Use a loop, since `Uint8Array.from` takes ten times as long.
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
