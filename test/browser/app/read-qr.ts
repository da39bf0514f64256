/** Reads the bytes of a QR code from its drawing: versions 1 to 6, error correction level M. */
import type { Locator } from 'playwright-core';
import { encode, QrCodeDataType } from 'uqr';

/** The number of blocks, by version. The error correction codewords follow the data of all blocks. */
const blocksByVersion = [1, 1, 1, 2, 2, 4];
const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

export async function readQr(svg: Locator): Promise<string> {
  const dark = await darkModules(svg);
  const size = Math.max(...[...dark].map((at) => Number(at.split(' ')[0]))) + 1;
  const version = (size - 17) / 4;
  const { types } = encode('', { ecc: 'M', minVersion: version, maxVersion: version, border: 0 });
  const format = [2, 3, 4].map((x) => dark.has(`${x} 8`) !== [true, false, true][x - 2]);
  const mask = masks[format.reduce((bits, bit) => bits * 2 + Number(bit), 0)]!;

  let bits = '';
  for (let right = size - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let step = 0; step < size * 2; step++) {
      const [x, y] = [right - (step % 2), up ? size - 1 - (step >> 1) : step >> 1];
      if (types[y]![x] === QrCodeDataType.Data) bits += Number(dark.has(`${x} ${y}`) !== mask(x, y));
    }
  }
  const codewords = bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2));
  const blocks = blocksByVersion[version - 1]!;
  const hex = Array.from({ length: blocks }, (_, block) => codewords.filter((__, index) => index % blocks === block))
    .map((block) => block.slice(0, dataCodewordsByVersion[version - 1]))
    .flat()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return Buffer.from(hex.slice(3, 3 + 2 * parseInt(hex.slice(1, 3), 16)), 'hex').toString();
}

/** The number of data codewords in each block, by version. */
const dataCodewordsByVersion = [16, 28, 44, 32, 43, 27];

/** Returns the positions of the dark modules as `x y`. */
async function darkModules(svg: Locator): Promise<Set<string>> {
  const path = (await svg.locator('path').getAttribute('d'))!;
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) => run.slice(1).map(Number));
  return new Set(runs.flatMap(([x, y, length]) => Array.from({ length: length! }, (_, at) => `${x! + at} ${y}`)));
}
