/**
 * A QR code (ISO/IEC 18004) of a short text: bytes, error correction M, versions 1 to 6. A phone would load a library of
 * three times the size; the tests hold this against one.
 */

/** Of a version: codewords of data and of correction in each block, and how many blocks there are, which are all alike. */
type Version = [dataCodewords: number, correctionCodewords: number, blocks: number];

const versions: Version[] = [
  [16, 10, 1],
  [28, 16, 1],
  [44, 26, 1],
  [32, 18, 2],
  [43, 24, 2],
  [27, 16, 4],
];

type Mask = (x: number, y: number) => number;

/** A module of the data is turned over where its mask is 0. */
const masks: Mask[] = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => ((x / 3 + ((y / 2) | 0)) | 0) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** Its rows, a dark module as 1 and a light one as 0; undefined for a text that does not fit, which has over 106 bytes. */
export function qrRows(text: string): string[] | undefined {
  const bytes = new TextEncoder().encode(text);
  const index = versions.findIndex(([dataCodewords, , blocks]) => bytes.length + 2 <= dataCodewords * blocks);
  const version = versions[index];
  if (!version) return undefined;
  const bits = codewordsOf(bytes, version)
    .map((codeword) => codeword.toString(2).padStart(8, '0'))
    .join('');
  const candidates = masks.map((_, mask) => drawn(17 + 4 * (index + 1), bits, mask));
  const penalties = candidates.map(penaltyOf);
  return candidates[penalties.indexOf(Math.min(...penalties))];
}

/** The data and what corrects it, the blocks interleaved. */
function codewordsOf(bytes: Uint8Array, [dataCodewords, correctionCodewords, blocks]: Version): number[] {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  // The mode for bytes, how many, and the end after them.
  const message = `4${bytes.length.toString(16).padStart(2, '0')}${hex}0`
    .match(/../g)!
    .map((pair) => parseInt(pair, 16));
  for (let pad = 0xec; message.length < dataCodewords * blocks; pad ^= 0xec ^ 0x11) message.push(pad);
  const data = Array.from({ length: blocks }, (_, block) =>
    message.slice(block * dataCodewords, (block + 1) * dataCodewords),
  );
  const divisor = divisorOf(correctionCodewords);
  return [...interleaved(data), ...interleaved(data.map((block) => remainder(block, divisor)))];
}

const interleaved = (blocks: number[][]): number[] =>
  blocks[0]!.flatMap((_, index) => blocks.map((block) => block[index]!));

/** Reed and Solomon's: the product of (x - 2^i), without its highest coefficient. */
function divisorOf(degree: number): number[] {
  let divisor = [1];
  for (let power = 0, root = 1; power < degree; power++, root = product(root, 2)) {
    const shifted = [...divisor, 0];
    divisor = shifted.map((coefficient, index) => coefficient ^ product(divisor[index - 1] ?? 0, root));
  }
  return divisor.slice(1);
}

function remainder(data: number[], divisor: number[]): number[] {
  let rest = divisor.map(() => 0);
  for (const codeword of data) {
    const [first, ...others] = rest;
    const factor = codeword ^ first!;
    rest = divisor.map((coefficient, index) => (others[index] ?? 0) ^ product(coefficient, factor));
  }
  return rest;
}

/** In the field of 256 elements over x^8 + x^4 + x^3 + x^2 + 1. */
function product(a: number, b: number): number {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) result = (result << 1) ^ ((result >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return result;
}

function drawn(size: number, bits: string, mask: number): string[] {
  const rows: string[][] = Array.from({ length: size }, () => Array<string>(size).fill(''));
  const set = (x: number, y: number, dark: boolean | number) => {
    if (rows[y]?.[x] !== undefined) rows[y][x] = dark ? '1' : '0';
  };
  const square = (centreX: number, centreY: number, reach: number, isDark: (ring: number) => boolean) => {
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) set(centreX + x, centreY + y, isDark(Math.max(Math.abs(x), Math.abs(y))));
    }
  };

  for (let at = 0; at < size; at++) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
  const isFinder = (ring: number) => ring !== 2 && ring !== 4;
  square(3, 3, 4, isFinder);
  square(size - 4, 3, 4, isFinder);
  square(3, size - 4, 4, isFinder);
  if (size > 21) square(size - 7, size - 7, 2, (ring) => ring !== 1);

  // Which mask, with what corrects it, twice; correction M is 00.
  let format = mask;
  for (let bit = 0; bit < 10; bit++) format = (format << 1) ^ ((format >> 9) * 0x537);
  format = ((mask << 10) | format) ^ 0x5412;
  for (let bit = 0; bit < 15; bit++) {
    const dark = (format >> bit) & 1;
    if (bit < 8) {
      set(8, bit + Number(bit > 5), dark);
      set(size - 1 - bit, 8, dark);
    } else {
      set(bit > 8 ? 14 - bit : 7, 8, dark);
      set(8, size - 15 + bit, dark);
    }
  }
  set(8, size - 8, true);

  // Up and down in columns of two, from the right; the upright line of the timing is left out.
  let next = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, isUp = !isUp) {
    for (let step = 0; step < size * 2; step++) {
      const x = right - (step % 2);
      const y = isUp ? size - 1 - (step >> 1) : step >> 1;
      if (rows[y]![x] === '') set(x, y, Number(bits[next++] ?? 0) ^ Number(masks[mask]!(x, y) === 0));
    }
  }
  return rows.map((row) => row.join(''));
}

/** What readers stumble on most: long lines, and what looks like a corner. */
function penaltyOf(rows: string[]): number {
  const columns = rows.map((_, x) => rows.map((row) => row[x]).join(''));
  const lines = [...rows, ...columns].join(' ');
  const corners = lines.match(/(?=10111010000|00001011101)/g) ?? [];
  const runs = lines.match(/0{5,}|1{5,}/g) ?? [];
  return 40 * corners.length + runs.join('').length - 2 * runs.length;
}
