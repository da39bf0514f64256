/** JPEG (ITU T.81, annex B): segments, each with its marker and length, and scans of compressed data between them. */
import { hasText, partsMax, readUint, type InspectFormat } from './format.ts';

const marker = { start: 0xd8, end: 0xd9, scan: 0xda } as const;
/** In compressed data, 0xff is followed by 0, and a marker of these restarts the decoder. */
const isInScan = (code: number): boolean => code === 0 || (code >= 0xd0 && code <= 0xd7);
/** Huffman tables, conditions of arithmetic coding, quantisation tables, and the interval of restarts. */
const tables = new Set([0xc4, 0xcc, 0xdb, 0xdd]);
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && code !== 0xc8 && !tables.has(code);
/** APP0 to APP15, and a comment. */
const isOfApplication = (code: number): boolean => (code >= 0xe0 && code <= 0xef) || code === 0xfe;
/**
 * The segments of applications that are allowed: what a decoder needs, and no word about who, where and with what. JFIF and
 * Adobe have so many bytes where they have no thumbnail.
 */
const harmless = new Map([
  [0xe0, { name: 'JFIF\0', bytesMax: 14 }],
  [0xe2, { name: 'ICC_PROFILE\0', bytesMax: Infinity }],
  [0xee, { name: 'Adobe', bytesMax: 12 }],
]);

interface Segment {
  code: number;
  /** The bytes behind its length. */
  data: Uint8Array;
}

export const inspectJpeg: InspectFormat = (bytes) => {
  const segments = segmentsIn(bytes);
  if (!segments?.some(({ code }) => code === marker.scan)) return undefined;
  const frames = segments.filter(({ code }) => isFrame(code));
  const [frame] = frames;
  if (frames.length !== 1 || !frame || frame.data.length < frameBytesMin) return undefined;
  const others = segments.filter(({ code }) => code !== marker.scan && !isFrame(code) && !tables.has(code));
  if (!others.every(({ code }) => isOfApplication(code))) return undefined;
  return {
    height: readUint(frame.data, 1, 2),
    width: readUint(frame.data, 3, 2),
    hasMetadata: !others.every(isHarmless),
  };
};

/** Returns undefined unless the last segment is followed by the end of the picture and of the bytes. */
function segmentsIn(bytes: Uint8Array): Segment[] | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== marker.start) return undefined;
  const segments: Segment[] = [];
  let at = 2;
  while (at + 2 <= bytes.length && bytes[at] === 0xff) {
    const code = bytes[at + 1]!;
    if (code === marker.end) return at + 2 === bytes.length ? segments : undefined;
    // Any number of 0xff may stand before a marker.
    if (code === 0xff) {
      at++;
      continue;
    }
    const length = readUint(bytes, at + 2, 2);
    if (segments.length === partsMax) return undefined;
    if (length < 2 || at + 2 + length > bytes.length) return undefined;
    segments.push({ code, data: bytes.subarray(at + 4, at + 2 + length) });
    at += 2 + length;
    while (code === marker.scan && at + 1 < bytes.length && (bytes[at] !== 0xff || isInScan(bytes[at + 1]!))) at++;
  }
  return undefined;
}

/** Precision, height, width and the count of components. */
const frameBytesMin = 6;

function isHarmless({ code, data }: Segment): boolean {
  const allowed = harmless.get(code);
  return allowed !== undefined && data.length <= allowed.bytesMax && hasText(data, 0, allowed.name);
}
