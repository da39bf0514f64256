/**
 * The result of inspecting a photo's headers, and functions that read numbers and texts from bytes. These functions do
 * not throw if they read past the end of the bytes.
 */

/** The size of a picture in pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface InspectedPhoto extends Size {
  /** True if the file has parts that no viewer needs, and that may contain a place or a serial number. */
  hasMetadata: boolean;
}

/**
 * A photo with more segments, chunks or boxes than this is refused, since millions of empty ones would fill the memory.
 */
export const partsMax = 10_000;

/**
 * Inspects the bytes of a file. Returns undefined if they are not exactly one complete file of the format. Must not
 * throw.
 */
export type InspectFormat = (bytes: Uint8Array) => InspectedPhoto | undefined;

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

/** Tells whether `text` stands at `at`. Each character of `text` is one byte. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

export function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
