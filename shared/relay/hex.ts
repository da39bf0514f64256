/** Converts bytes to hexadecimal text and back, two lower-case digits a byte. */
import type { Bytes } from './byte-reader.ts';

export const toHex = (bytes: Uint8Array): string => hexPairsOf(bytes).join('');

export const hexPairsOf = (bytes: Uint8Array): string[] =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));

/** The text must consist of hexadecimal digits. */
export const fromHex = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
