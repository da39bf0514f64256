/** JPEG (ITU T.81, annex B): segments, each with its marker and length, and scans of compressed data between them. */
import { readUint, type InspectFormat, type Inspected } from './format.ts';

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, app1: 0xe1, app13: 0xed, comment: 0xfe } as const;
/** In compressed data, 0xff is followed by 0, and a marker of these restarts the decoder. */
const isInScan = (code: number): boolean => code === 0 || (code >= 0xd0 && code <= 0xd7);
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
/** APP1 holds EXIF and XMP, APP13 IPTC. */
const isMetadata = (code: number): boolean => code === marker.app1 || code === marker.app13 || code === marker.comment;

export const inspectJpeg: InspectFormat = (bytes) => {
  if (bytes[0] !== 0xff || bytes[1] !== marker.start) return undefined;
  let size: Pick<Inspected, 'width' | 'height'> | undefined;
  let hasMetadata = false;
  let hasScan = false;
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const code = bytes[at + 1]!;
    // Any number of 0xff may stand before a marker.
    if (code === 0xff) {
      at++;
      continue;
    }
    if (code === marker.end) return size && hasScan && at + 2 === bytes.length ? { ...size, hasMetadata } : undefined;
    const length = readUint(bytes, at + 2, 2);
    if (length < 2 || at + 2 + length > bytes.length) return undefined;
    hasMetadata ||= isMetadata(code);
    if (isFrame(code)) {
      if (size) return undefined;
      size = { height: readUint(bytes, at + 5, 2), width: readUint(bytes, at + 7, 2) };
    }
    at += 2 + length;
    if (code !== marker.scan) continue;
    hasScan = true;
    while (at + 1 < bytes.length && (bytes[at] !== 0xff || isInScan(bytes[at + 1]!))) at++;
  }
  return undefined;
};
