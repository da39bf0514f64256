/** Writes integers as text: each with the same number of digits, in the smallest possible base. */
import { MalformedColumn } from './malformed.ts';
import type { DigitsColumn } from './column.ts';

/** The digits: the printable ASCII characters, except `"` and `\`, which JSON would escape. */
const alphabet = ` !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_\`abcdefghijklmnopqrstuvwxyz{|}~`;
const radixMax = alphabet.length;
const codesByDigit = Uint8Array.from(alphabet, (digit) => digit.codePointAt(0)!);
const digitsByCode = new Int8Array(128).fill(-1);
for (const [digit, code] of codesByDigit.entries()) digitsByCode[code] = digit;

interface Range {
  min: number;
  max: number;
}

/** Packs integers. Each must be in the range, whose size must be a safe integer. */
export function packDigits(integers: readonly number[], { min, max }: Range): DigitsColumn {
  const { width, radix } = smallestBase(max - min);
  const codes = new Uint8Array(integers.length * width);
  const base = { min, radix, width };
  if (max - min <= int32Max) writeSmallDigits(integers, codes, base);
  else writeDigits(integers, codes, base);
  return { ...base, digits: new TextDecoder().decode(codes) };
}

type Base = Pick<DigitsColumn, 'min' | 'radix' | 'width'>;

/** Up to this integer, `| 0` makes JavaScript engines divide 32-bit integers, which is several times as fast. */
const int32Max = 2 ** 31 - 1;

function writeSmallDigits(integers: readonly number[], codes: Uint8Array, { min, radix, width }: Base): void {
  for (let index = 0; index < integers.length; index++) {
    let rest = (integers[index]! - min) | 0;
    for (let place = width - 1; place >= 0; place--) {
      const above = (rest / radix) | 0;
      codes[index * width + place] = codesByDigit[rest - above * radix]!;
      rest = above;
    }
  }
}

function writeDigits(integers: readonly number[], codes: Uint8Array, { min, radix, width }: Base): void {
  for (let index = 0; index < integers.length; index++) {
    let rest = integers[index]! - min;
    for (let place = width - 1; place >= 0; place--) {
      const digit = rest % radix;
      codes[index * width + place] = codesByDigit[digit]!;
      rest = (rest - digit) / radix;
    }
  }
}

/**
 * Returns the fewest digits that suffice for all numbers up to `largest`, and the smallest base for this many digits.
 * In the smallest base, all digits are about equally frequent.
 */
function smallestBase(largest: number): { width: number; radix: number } {
  let width = 1;
  while (radixMax ** width <= largest) width++;
  let radix = Math.max(2, Math.floor((largest + 1) ** (1 / width)));
  while (radix ** width <= largest) radix++;
  return { width, radix };
}

const widthMax = 53;

export function unpackDigits({ min, radix, width, digits }: DigitsColumn, count: number): number[] {
  const isBase = isIntegerWithin(radix, 2, radixMax) && isIntegerWithin(width, 1, widthMax);
  if (!isBase || !Number.isSafeInteger(min) || typeof digits !== 'string' || digits.length !== count * width) {
    throw new MalformedColumn('digits');
  }
  const integers: number[] = [];
  for (let at = 0; at < digits.length;) {
    let above = 0;
    for (const end = at + width; at < end; at++) {
      const digit = digitsByCode[digits.charCodeAt(at)] ?? -1;
      if (digit < 0 || digit >= radix) throw new MalformedColumn('digits');
      above = above * radix + digit;
    }
    integers.push(requireSafeInteger(above + min));
  }
  return integers;
}

const isIntegerWithin = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

export function requireSafeInteger(value: number): number {
  if (!Number.isSafeInteger(value)) throw new MalformedColumn('an integer');
  return value;
}
