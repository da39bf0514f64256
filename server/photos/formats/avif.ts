/**
 * AVIF: boxes of ISO/IEC 14496-12, with the items and their properties of ISO/IEC 23008-12 in the box `meta`. The size is
 * that of the container; the sequence header inside the compressed data is not read.
 */
import { readUint, textAt, type InspectFormat, type Size } from './format.ts';

interface Box {
  type: string;
  /** The content is from `start` up to `end`, which is left out. */
  start: number;
  end: number;
}

const boxHeaderBytes = 8;
/** Boxes with a version and flags before their content. */
const fullBoxBytes = 4;
/** An encoder writes some dozen. */
const boxesMax = 1_000;
/** Encoders write up to ten. */
const brandsMax = 64;
const topTypes = ['ftyp', 'meta', 'mdat'];
/** The boxes that say where the items are, what they are and how they belong together. Others may hold anything. */
const metaTypes = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iprp', 'iref', 'idat']);
/** A coded picture, and one of tiles. */
const pictureItems = new Set(['av01', 'grid']);

export const inspectAvif: InspectFormat = (bytes) => {
  const all = boxesIn(bytes, { start: 0, end: bytes.length });
  const [first] = all ?? [];
  if (!all || first?.type !== 'ftyp' || !brandsOf(bytes, first).includes('avif')) return undefined;
  const only = (type: string) => all.filter((box) => box.type === type);
  const [meta, ...otherMetas] = only('meta');
  if (!meta || otherMetas.length > 0 || only('mdat').length !== 1) return undefined;
  const inMeta = boxesIn(bytes, { start: meta.start + fullBoxBytes, end: meta.end });
  const size = inMeta && primarySize(bytes, inMeta);
  const items = inMeta && itemTypes(bytes, inMeta);
  if (!size || !items || items.length === 0) return undefined;
  const hasMetadata =
    all.some(({ type }) => !topTypes.includes(type)) ||
    inMeta.some(({ type }) => !metaTypes.has(type)) ||
    items.some((type) => !pictureItems.has(type));
  return { ...size, hasMetadata };
};

/** Returns undefined if the boxes do not fill the range, or are too many. */
function boxesIn(bytes: Uint8Array, { start, end }: { start: number; end: number }): Box[] | undefined {
  const boxes: Box[] = [];
  let at = start;
  while (at + boxHeaderBytes <= end && boxes.length < boxesMax) {
    const length = readUint(bytes, at, 4);
    // A length of 0 or 1 stands for the rest of the file or a larger number, which no photo needs.
    if (length < boxHeaderBytes || at + length > end) return undefined;
    boxes.push({ type: textAt(bytes, at + 4, 4), start: at + boxHeaderBytes, end: at + length });
    at += length;
  }
  return at === end ? boxes : undefined;
}

/** Returns the children of the one box of a type; none where there are several. */
function childrenOf(bytes: Uint8Array, boxes: readonly Box[], type: string): Box[] {
  const [box, ...others] = boxes.filter((each) => each.type === type);
  return (box && others.length === 0 && boxesIn(bytes, box)) || [];
}

/** The major brand, and the compatible ones behind its version. */
function brandsOf(bytes: Uint8Array, { start, end }: Box): string[] {
  const brands = [textAt(bytes, start, 4)];
  const last = Math.min(end, start + 8 + brandsMax * 4);
  for (let at = start + 8; at + 4 <= last; at += 4) brands.push(textAt(bytes, at, 4));
  return brands;
}

/** Returns the types of the items; undefined where an entry is of a version without types. */
function itemTypes(bytes: Uint8Array, inMeta: readonly Box[]): string[] | undefined {
  const [iinf, ...others] = inMeta.filter(({ type }) => type === 'iinf');
  if (!iinf || others.length > 0) return undefined;
  const countBytes = bytes[iinf.start] === 0 ? 2 : 4;
  const entries = boxesIn(bytes, { start: iinf.start + fullBoxBytes + countBytes, end: iinf.end });
  if (!entries?.every(({ type, start }) => type === 'infe' && bytes[start]! >= 2)) return undefined;
  // The type stands behind the id, of 2 bytes or 4 from version 3 on, and 2 bytes of protection.
  return entries.map(({ start }) => textAt(bytes, start + fullBoxBytes + (bytes[start]! >= 3 ? 4 : 2) + 2, 4));
}

/** Returns the size of the primary item, which is what a decoder shows. */
function primarySize(bytes: Uint8Array, inMeta: readonly Box[]): Size | undefined {
  const pitm = inMeta.find(({ type }) => type === 'pitm');
  if (!pitm) return undefined;
  const primary = readUint(bytes, pitm.start + fullBoxBytes, bytes[pitm.start] === 0 ? 2 : 4);
  const inProperties = childrenOf(bytes, inMeta, 'iprp');
  const properties = childrenOf(bytes, inProperties, 'ipco');
  const associations = inProperties.find(({ type }) => type === 'ipma');
  const indexes = associations ? propertiesOf(bytes, associations, primary) : [];
  const size = indexes.map((index) => properties[index - 1]).find((box) => box?.type === 'ispe');
  if (!size || size.end - size.start < fullBoxBytes + 8) return undefined;
  return { width: readUint(bytes, size.start + 4, 4), height: readUint(bytes, size.start + 8, 4) };
}

/** Returns the places, from 1 on, of the properties of an item. */
function propertiesOf(bytes: Uint8Array, { start, end }: Box, item: number): number[] {
  const idBytes = bytes[start] === 0 ? 2 : 4;
  const indexBytes = (bytes[start + 3]! & 1) === 1 ? 2 : 1;
  // The first bit says whether the property is essential.
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
