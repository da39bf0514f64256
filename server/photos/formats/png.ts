/** PNG (ISO/IEC 15948): a signature, then chunks with their length, type, data and checksum. */
import { hasText, readUint, textAt, type InspectFormat, type Inspected } from './format.ts';

const signature = '\x89PNG\r\n\x1a\n';
const metadataTypes = new Set(['eXIf', 'iTXt', 'tEXt', 'zTXt']);
/** Length, type and checksum. */
const chunkFrameBytes = 12;

export const inspectPng: InspectFormat = (bytes) => {
  if (!hasText(bytes, 0, signature)) return undefined;
  let size: Pick<Inspected, 'width' | 'height'> | undefined;
  let hasMetadata = false;
  let hasData = false;
  for (let at = signature.length; at + chunkFrameBytes <= bytes.length;) {
    const length = readUint(bytes, at, 4);
    const type = textAt(bytes, at + 4, 4);
    const next = at + chunkFrameBytes + length;
    if (next > bytes.length || (size === undefined) !== (type === 'IHDR')) return undefined;
    if (type === 'IHDR') size = { width: readUint(bytes, at + 8, 4), height: readUint(bytes, at + 12, 4) };
    hasMetadata ||= metadataTypes.has(type);
    hasData ||= type === 'IDAT';
    if (type === 'IEND') return size && hasData && next === bytes.length ? { ...size, hasMetadata } : undefined;
    at = next;
  }
  return undefined;
};
