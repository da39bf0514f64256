/**
 * AVIF: boxes of ISO/IEC 14496-12. The box `meta` has items and their properties by ISO/IEC 23008-12. The size is read
 * from these properties, and not from the sequence header inside the compressed data.
 */
import { readUint, textAt, type InspectFormat, type Size } from './format.ts';

interface Box {
  type: string;
  /** The content begins at `start` and ends before `end`. */
  start: number;
  end: number;
}

const boxHeaderBytes = 8;
/** A "full box" has a version and flags of this length before its content. */
const fullBoxBytes = 4;
/** Limits the boxes in one range of bytes. Encoders write a few dozen. */
const boxesMax = 1_000;
/** Limits the brands that are read. Encoders write up to ten. */
const brandsMax = 64;
const topLevelBoxTypes = ['ftyp', 'meta', 'mdat'];
/**
 * The boxes that describe where the items are, what they are and how they belong together. A box of another type may
 * hold metadata.
 */
const metaBoxTypes = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat']);
/** A coded picture, and a picture that consists of tiles. */
const pictureItemTypes = new Set(['av01', 'grid']);

export const inspectAvif: InspectFormat = (bytes) => {
  const all = boxesIn(bytes, { start: 0, end: bytes.length });
  const [first] = all ?? [];
  if (!all || first?.type !== 'ftyp' || !brandsOf(bytes, first).includes('avif')) return undefined;
  const only = (type: string) => all.filter((box) => box.type === type);
  const [meta, ...otherMetas] = only('meta');
  if (!meta || otherMetas.length > 0 || only('mdat').length !== 1) return undefined;
  const inMeta = boxesIn(bytes, { start: meta.start + fullBoxBytes, end: meta.end });
  const size = inMeta && sizeOfPrimaryItem(bytes, inMeta);
  const items = inMeta && itemTypesOf(bytes, inMeta);
  if (!size || !items || items.length === 0) return undefined;
  const hasMetadata =
    all.some(({ type }) => !topLevelBoxTypes.includes(type)) ||
    inMeta.some(({ type }) => !metaBoxTypes.has(type)) ||
    items.some((type) => !pictureItemTypes.has(type));
  return { ...size, hasMetadata };
};

/** Returns the boxes in a range. Returns undefined if they do not fill the range, or are too many. */
function boxesIn(bytes: Uint8Array, { start, end }: { start: number; end: number }): Box[] | undefined {
  const boxes: Box[] = [];
  let at = start;
  while (at + boxHeaderBytes <= end && boxes.length < boxesMax) {
    const length = readUint(bytes, at, 4);
    // In this format, length 0 means a box up to the end of the file, and length 1 a 64-bit length. No photo needs such
    // a box.
    if (length < boxHeaderBytes || at + length > end) return undefined;
    boxes.push({ type: textAt(bytes, at + 4, 4), start: at + boxHeaderBytes, end: at + length });
    at += length;
  }
  return at === end ? boxes : undefined;
}

/** Returns the children of the only box of a type. Returns none if there are several such boxes. */
function childrenOf(bytes: Uint8Array, boxes: readonly Box[], type: string): Box[] {
  const [box, ...others] = boxes.filter((each) => each.type === type);
  return (box && others.length === 0 && boxesIn(bytes, box)) || [];
}

/** Returns the major brand and the compatible brands, which follow the brand's version. */
function brandsOf(bytes: Uint8Array, { start, end }: Box): string[] {
  const brands = [textAt(bytes, start, 4)];
  const last = Math.min(end, start + 8 + brandsMax * 4);
  for (let at = start + 8; at + 4 <= last; at += 4) brands.push(textAt(bytes, at, 4));
  return brands;
}

/** Returns the types of the items. Returns undefined if an entry has a version without types. */
function itemTypesOf(bytes: Uint8Array, inMeta: readonly Box[]): string[] | undefined {
  const [iinf, ...others] = inMeta.filter(({ type }) => type === 'iinf');
  if (!iinf || others.length > 0) return undefined;
  const countBytes = bytes[iinf.start] === 0 ? 2 : 4;
  const entries = boxesIn(bytes, { start: iinf.start + fullBoxBytes + countBytes, end: iinf.end });
  if (!entries?.every(({ type, start }) => type === 'infe' && bytes[start]! >= 2)) return undefined;
  // The type follows the id (4 bytes from version 3 on, else 2) and 2 bytes about protection.
  return entries.map(({ start }) => textAt(bytes, start + fullBoxBytes + (bytes[start]! >= 3 ? 4 : 2) + 2, 4));
}

/** Returns the size of the primary item. A decoder shows this item. */
function sizeOfPrimaryItem(bytes: Uint8Array, inMeta: readonly Box[]): Size | undefined {
  const pitm = inMeta.find(({ type }) => type === 'pitm');
  if (!pitm) return undefined;
  const primary = readUint(bytes, pitm.start + fullBoxBytes, bytes[pitm.start] === 0 ? 2 : 4);
  const inProperties = childrenOf(bytes, inMeta, 'iprp');
  const properties = childrenOf(bytes, inProperties, 'ipco');
  const associations = inProperties.find(({ type }) => type === 'ipma');
  const indexes = associations ? propertyIndexesOf(bytes, associations, primary) : [];
  const size = indexes.map((index) => properties[index - 1]).find((box) => box?.type === 'ispe');
  if (!size || size.end - size.start < fullBoxBytes + 8) return undefined;
  return { width: readUint(bytes, size.start + 4, 4), height: readUint(bytes, size.start + 8, 4) };
}

/** Returns the indexes, counted from 1, of an item's properties. */
function propertyIndexesOf(bytes: Uint8Array, { start, end }: Box, item: number): number[] {
  const idBytes = bytes[start] === 0 ? 2 : 4;
  const indexBytes = (bytes[start + 3]! & 1) === 1 ? 2 : 1;
  // The first bit says whether the property is essential. The others are the index.
  const mask = indexBytes === 2 ? 0x7fff : 0x7f;
  let at = start + fullBoxBytes + 4;
  while (at + idBytes < end) {
    const id = readUint(bytes, at, idBytes);
    const count = bytes[at + idBytes]!;
    at += idBytes + 1;
    if (id === item)
      return Array.from({ length: count }, (_, place) => readUint(bytes, at + place * indexBytes, indexBytes) & mask);
    at += count * indexBytes;
  }
  return [];
}
