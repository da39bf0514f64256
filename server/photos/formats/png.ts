/** PNG (ISO/IEC 15948): a signature, then chunks with their length, type, data and checksum. */
import { hasText, partsMax, readUint, textAt, type InspectFormat, type Size } from './format.ts';

const pngSignature = '\x89PNG\r\n\x1a\n';
/** The chunks of the picture and of the display of its colours. A chunk of another type may hold metadata. */
const pictureChunkTypes = new Set('IHDR PLTE IDAT IEND tRNS sRGB gAMA cHRM iCCP cICP sBIT pHYs bKGD'.split(' '));
/** The bytes of a chunk's length, type and checksum. */
const chunkFrameBytes = 12;
const imageHeaderBytes = 13;

export const inspectPng: InspectFormat = (bytes) => {
  if (!hasText(bytes, 0, pngSignature)) return undefined;
  let size: Size | undefined;
  let hasMetadata = false;
  let hasData = false;
  for (let at = pngSignature.length, count = 0; at + chunkFrameBytes <= bytes.length && count < partsMax; count++) {
    const length = readUint(bytes, at, 4);
    const type = textAt(bytes, at + 4, 4);
    const next = at + chunkFrameBytes + length;
    if (next > bytes.length || (size === undefined) !== (type === 'IHDR')) return undefined;
    if (type === 'IHDR') {
      if (length !== imageHeaderBytes) return undefined;
      size = { width: readUint(bytes, at + 8, 4), height: readUint(bytes, at + 12, 4) };
    }
    hasMetadata ||= !pictureChunkTypes.has(type);
    hasData ||= type === 'IDAT';
    const isWhole = size && hasData && length === 0 && next === bytes.length;
    if (type === 'IEND') return isWhole ? { ...size!, hasMetadata } : undefined;
    at = next;
  }
  return undefined;
};
