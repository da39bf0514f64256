/** AVIF: boxes of ISO/IEC 14496-12, with the items and their properties of ISO/IEC 23008-12 in the box `meta`. */
import { readUint, textAt, type InspectFormat } from './format.ts';

interface Box {
  type: string;
  /** The content is from `start` up to `end`, which is left out. */
  start: number;
  end: number;
}

const boxHeaderBytes = 8;
/** Boxes with a version and flags before their content. */
const fullBoxBytes = 4;
/** An item of text or XML (`mime`), EXIF, or a link. */
const metadataItems = new Set(['Exif', 'mime', 'uri ']);
/** The item's name stands behind its version, id and protection; the id takes 2 bytes, or 4 from version 3 on. */
const itemTypeOffset = (version: number): number => fullBoxBytes + (version >= 3 ? 4 : 2) + 2;

export const inspectAvif: InspectFormat = (bytes) => {
  const all = boxesIn(bytes, { start: 0, end: bytes.length });
  const [first] = all ?? [];
  if (!all || first?.type !== 'ftyp' || !brandsOf(bytes, first).some((brand) => brand === 'avif')) return undefined;
  const meta = all.find(({ type }) => type === 'meta');
  if (!meta || !all.some(({ type }) => type === 'mdat')) return undefined;
  const inMeta = boxesIn(bytes, { start: meta.start + fullBoxBytes, end: meta.end }) ?? [];
  const sizes = childrenOf(bytes, childrenOf(bytes, inMeta, 'iprp'), 'ipco').filter(({ type }) => type === 'ispe');
  // A picture of tiles has the size of a tile, too, and that of its thumbnail.
  const sizeAt = ({ start }: Box) => [readUint(bytes, start + 4, 4), readUint(bytes, start + 8, 4)] as const;
  const [largest] = sizes.map(sizeAt).toSorted((a, b) => b[0] * b[1] - a[0] * a[1]);
  if (!largest) return undefined;
  const hasMetadata = itemTypes(bytes, inMeta).some((type) => metadataItems.has(type));
  return { width: largest[0], height: largest[1], hasMetadata };
};

/** Returns undefined if the boxes do not fill the range. */
function boxesIn(bytes: Uint8Array, { start, end }: { start: number; end: number }): Box[] | undefined {
  const boxes: Box[] = [];
  let at = start;
  while (at + boxHeaderBytes <= end) {
    const length = readUint(bytes, at, 4);
    // A length of 0 or 1 stands for the rest of the file or a larger number, which no photo needs.
    if (length < boxHeaderBytes || at + length > end) return undefined;
    boxes.push({ type: textAt(bytes, at + 4, 4), start: at + boxHeaderBytes, end: at + length });
    at += length;
  }
  return at === end ? boxes : undefined;
}

const childrenOf = (bytes: Uint8Array, boxes: readonly Box[], type: string): Box[] =>
  boxes.filter((box) => box.type === type).flatMap((box) => boxesIn(bytes, box) ?? []);

function brandsOf(bytes: Uint8Array, { start, end }: Box): string[] {
  const brands: string[] = [];
  for (let at = start; at + 4 <= end; at += 4) brands.push(textAt(bytes, at, 4));
  return brands;
}

function itemTypes(bytes: Uint8Array, inMeta: readonly Box[]): string[] {
  const items = inMeta.filter(({ type }) => type === 'iinf');
  return items.flatMap((iinf) => {
    const countBytes = bytes[iinf.start] === 0 ? 2 : 4;
    const entries = boxesIn(bytes, { start: iinf.start + fullBoxBytes + countBytes, end: iinf.end });
    // Entries that cannot be read may hold anything.
    if (!entries) return ['Exif'];
    return entries.map(({ start }) => textAt(bytes, start + itemTypeOffset(bytes[start] ?? 0), 4));
  });
}
