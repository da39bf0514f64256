/** Converts bytes to base45 text (RFC 9285) and back. A QR code stores these characters in the least space. */
import type { Bytes } from './byte-reader.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
const base = alphabet.length;

/**
 * Encodes each two bytes as three characters, the least significant first. If one byte is left at the end, encodes it
 * as two characters.
 */
export function toBase45(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 2) {
    const isPair = at + 1 < bytes.length;
    let value = isPair ? (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0) : (bytes[at] ?? 0);
    for (let digit = 0; digit < (isPair ? 3 : 2); digit++) {
      text += alphabet[value % base];
      value = Math.floor(value / base);
    }
  }
  return text;
}

/** Returns undefined if the text is not base45. */
export function fromBase45(text: string): Bytes | undefined {
  if (text.length % 3 === 1) return undefined;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 3) {
    const digits = Array.from(text.slice(at, at + 3), (character) => alphabet.indexOf(character));
    if (digits.includes(-1)) return undefined;
    const value = digits.reduceRight((sum, digit) => sum * base + digit, 0);
    const isPair = digits.length === 3;
    if (value > (isPair ? 0xffff : 0xff)) return undefined;
    if (isPair) bytes.push(value >> 8);
    bytes.push(value & 0xff);
  }
  return Uint8Array.from(bytes);
}
