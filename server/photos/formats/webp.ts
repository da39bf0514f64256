/** WebP (RFC 9649): chunks of a RIFF container, with lengths in little endian and a byte after an odd length. */
import { hasText, readUintLittleEndian, textAt, type InspectFormat, type Inspected } from './format.ts';

type Size = Pick<Inspected, 'width' | 'height'>;

const headerBytes = 12;
const chunkHeaderBytes = 8;
/** A lossy or a lossless picture, and a canvas of frames. */
const dataTypes = new Set(['VP8 ', 'VP8L', 'ANMF']);
const metadataTypes = new Set(['EXIF', 'XMP ']);
const dimensionBits14 = 0x3fff;

export const inspectWebp: InspectFormat = (bytes) => {
  const isWhole = readUintLittleEndian(bytes, 4, 4) + chunkHeaderBytes === bytes.length;
  if (!hasText(bytes, 0, 'RIFF') || !hasText(bytes, 8, 'WEBP') || !isWhole) return undefined;
  let size: Size | undefined;
  let hasMetadata = false;
  let hasData = false;
  let at = headerBytes;
  while (at + chunkHeaderBytes <= bytes.length) {
    const type = textAt(bytes, at, 4);
    const length = readUintLittleEndian(bytes, at + 4, 4);
    const data = at + chunkHeaderBytes;
    at = data + length + (length % 2);
    if (at > bytes.length) return undefined;
    // The first chunk tells the size of what is shown.
    size ??= sizeIn(bytes, type, data);
    if (!size) return undefined;
    hasMetadata ||= metadataTypes.has(type);
    hasData ||= dataTypes.has(type);
  }
  return size && hasData && at === bytes.length ? { ...size, hasMetadata } : undefined;
};

function sizeIn(bytes: Uint8Array, type: string, at: number): Size | undefined {
  switch (type) {
    case 'VP8X':
      return {
        width: readUintLittleEndian(bytes, at + 4, 3) + 1,
        height: readUintLittleEndian(bytes, at + 7, 3) + 1,
      };
    case 'VP8 ':
      if (!hasText(bytes, at + 3, '\x9d\x01\x2a')) return undefined;
      return {
        width: readUintLittleEndian(bytes, at + 6, 2) & dimensionBits14,
        height: readUintLittleEndian(bytes, at + 8, 2) & dimensionBits14,
      };
    case 'VP8L': {
      if (!hasText(bytes, at, '\x2f')) return undefined;
      const bits = readUintLittleEndian(bytes, at + 1, 4);
      return { width: (bits & dimensionBits14) + 1, height: ((bits >>> 14) & dimensionBits14) + 1 };
    }
    default:
      return undefined;
  }
}
