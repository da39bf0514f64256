/** WebP (RFC 9649): chunks in a RIFF container. Lengths are little-endian, and a padding byte follows an odd length. */
import { hasText, partsMax, readUintLittleEndian, textAt, type InspectFormat, type Size } from './format.ts';

const headerBytes = 12;
const chunkHeaderBytes = 8;
/**
 * The chunks of the picture, its canvas, colour profile and transparency. A chunk of another type may hold metadata.
 */
const pictureChunkTypes = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']);
const dimensionMask = 0x3fff;
/** The flags of a `VP8X` chunk that announce EXIF, XMP or an animation. */
const metadataFlags = 0b1110;

interface Chunk {
  type: string;
  data: Uint8Array;
}

export const inspectWebp: InspectFormat = (bytes) => {
  const chunks = chunksIn(bytes);
  const pictures = chunks?.filter(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const [picture] = pictures ?? [];
  // Allow only one picture, since a decoder needs memory for each.
  if (!chunks || pictures?.length !== 1 || !picture) return undefined;
  const size = picture.type === 'VP8L' ? losslessSizeIn(picture.data) : lossySizeIn(picture.data);
  const [first, ...rest] = chunks;
  if (!size || !first || rest.some(({ type }) => type === 'VP8X')) return undefined;
  const hasCanvas = first.type === 'VP8X';
  const canvas = hasCanvas ? canvasSizeIn(first.data) : size;
  if (canvas?.width !== size.width || canvas.height !== size.height) return undefined;
  const isAnnounced = hasCanvas && (first.data[0]! & metadataFlags) !== 0;
  return { ...size, hasMetadata: isAnnounced || !chunks.every(({ type }) => pictureChunkTypes.has(type)) };
};

/** Returns the chunks. Returns undefined unless they fill the container, and the container fills the bytes. */
function chunksIn(bytes: Uint8Array): Chunk[] | undefined {
  const isWhole = readUintLittleEndian(bytes, 4, 4) + chunkHeaderBytes === bytes.length;
  if (!hasText(bytes, 0, 'RIFF') || !hasText(bytes, 8, 'WEBP') || !isWhole) return undefined;
  const chunks: Chunk[] = [];
  let at = headerBytes;
  while (at + chunkHeaderBytes <= bytes.length && chunks.length < partsMax) {
    const length = readUintLittleEndian(bytes, at + 4, 4);
    const start = at + chunkHeaderBytes;
    chunks.push({ type: textAt(bytes, at, 4), data: bytes.subarray(start, start + length) });
    at = start + length + (length % 2);
    if (at > bytes.length || (length % 2 === 1 && bytes[at - 1] !== 0)) return undefined;
  }
  return at === bytes.length ? chunks : undefined;
}

function canvasSizeIn(data: Uint8Array): Size | undefined {
  if (data.length !== 10) return undefined;
  return { width: readUintLittleEndian(data, 4, 3) + 1, height: readUintLittleEndian(data, 7, 3) + 1 };
}

function lossySizeIn(data: Uint8Array): Size | undefined {
  if (data.length < 10 || !hasText(data, 3, '\x9d\x01\x2a')) return undefined;
  return {
    width: readUintLittleEndian(data, 6, 2) & dimensionMask,
    height: readUintLittleEndian(data, 8, 2) & dimensionMask,
  };
}

function losslessSizeIn(data: Uint8Array): Size | undefined {
  if (data.length < 5 || !hasText(data, 0, '\x2f')) return undefined;
  const bits = readUintLittleEndian(data, 1, 4);
  return { width: (bits & dimensionMask) + 1, height: ((bits >>> 14) & dimensionMask) + 1 };
}
