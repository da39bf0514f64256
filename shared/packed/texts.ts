/** Packs times and UUIDs as numbers. */
import type { Column } from './column.ts';
import { MalformedColumn } from './malformed.ts';
import { packIntegers } from './numbers.ts';

/** Packs texts that mostly differ: the caller puts repeated ones into a dictionary. */
export function packTexts(texts: readonly string[]): Column {
  return packUuids(texts) ?? packTimes(texts) ?? { values: [...texts] };
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Packs UUIDs in three parts. In version 7 the first 48 bits are a time, so the first parts differ little. */
function packUuids(texts: readonly string[]): Column | undefined {
  const heads: number[] = [];
  const middles: number[] = [];
  const tails: number[] = [];
  for (const text of texts) {
    if (!uuidPattern.test(text)) return undefined;
    heads.push(Number(`0x${text.slice(0, 8)}${text.slice(9, 13)}`));
    middles.push(Number(`0x${text.slice(14, 18)}${text.slice(19, 23)}${text.slice(24, 26)}`));
    tails.push(Number(`0x${text.slice(26)}`));
  }
  return { uuids: [packIntegers(heads), packIntegers(middles), packIntegers(tails)] };
}

export function uuidOf(head: number, middle: number, tail: number): string {
  const start = hexOf(head, 12);
  const second = hexOf(middle, 10);
  return `${start.slice(0, 8)}-${start.slice(8)}-${second.slice(0, 4)}-${second.slice(4, 8)}-${second.slice(8)}${hexOf(tail, 10)}`;
}

/** The hexadecimal digits of all 12-bit numbers. `toString(16)` is slow for numbers of more than 31 bits. */
const hexBy12Bits = Array.from({ length: 0x1000 }, (_, bits) => bits.toString(16).padStart(3, '0'));

/** Returns an integer in hexadecimal, with up to 12 digits. */
function hexOf(integer: number, digits: number): string {
  if (integer < 0 || integer >= 16 ** digits) throw new MalformedColumn('a UUID');
  const low = integer % 0x1000000;
  const high = (integer - low) / 0x1000000;
  return `${hexOf24Bits(high)}${hexOf24Bits(low)}`.slice(-digits);
}

const hexOf24Bits = (bits: number): string => `${hexBy12Bits[bits >>> 12]!}${hexBy12Bits[bits & 0xfff]!}`;

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function packTimes(texts: readonly string[]): Column | undefined {
  const times: number[] = [];
  for (const text of texts) {
    if (!timePattern.test(text)) return undefined;
    const time = Date.parse(text);
    if (Number.isNaN(time) || new Date(time).toISOString() !== text) return undefined;
    times.push(time);
  }
  return { times: packIntegers(times) };
}

export function timeOf(ms: number): string {
  const text = Number.isInteger(ms) && Math.abs(ms) <= timeMsMax ? new Date(ms).toISOString() : '';
  if (!timePattern.test(text)) throw new MalformedColumn('a time');
  return text;
}

/** The latest time that a JavaScript `Date` can have. */
const timeMsMax = 8.64e15;
