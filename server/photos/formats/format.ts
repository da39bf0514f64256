/** The result of reading the headers of a photo, and readers of numbers that stay within the bytes. */

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface Inspected extends Size {
  /** True if the file has parts that are not needed to show it, which may hold a place or a serial number. */
  hasMetadata: boolean;
}

/** A photo with more segments, chunks or boxes is refused: millions of empty ones would fill the memory. */
export const partsMax = 10_000;

/** Returns undefined if the bytes are not one file of the format from its first segment to its last. Must not throw. */
export type InspectFormat = (bytes: Uint8Array) => Inspected | undefined;

export function readUint(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

export function readUintLittleEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

/** True if `text`, whose characters are bytes, stands at `at`. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

export function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
