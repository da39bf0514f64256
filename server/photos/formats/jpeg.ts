/** JPEG (ITU T.81, annex B): segments with a marker and a length. Compressed data follows each scan's segment. */
import { hasText, partsMax, readUint, type InspectFormat } from './format.ts';

const markerCodes = { start: 0xd8, end: 0xd9, scan: 0xda } as const;
/**
 * Tells whether compressed data goes on after the byte 0xff and `code`. Code 0 escapes 0xff, and the codes 0xd0 to 0xd7
 * restart the decoder.
 */
const continuesScan = (code: number): boolean => code === 0 || (code >= 0xd0 && code <= 0xd7);
/** Huffman tables, arithmetic coding conditions, quantisation tables, and the restart interval. */
const tableCodes = new Set([0xc4, 0xcc, 0xdb, 0xdd]);
const isFrameHeader = (code: number): boolean => code >= 0xc0 && code <= 0xcf && code !== 0xc8 && !tableCodes.has(code);
/** APP0 to APP15, and comments. */
const isAppOrComment = (code: number): boolean => (code >= 0xe0 && code <= 0xef) || code === 0xfe;
/**
 * The application segments that a decoder needs and that tell nothing about people, places or devices. `bytesMax` is
 * the length of a JFIF or Adobe segment without a thumbnail. A longer JFIF or Adobe segment counts as metadata.
 */
const allowedAppSegments = new Map([
  [0xe0, { name: 'JFIF\0', bytesMax: 14 }],
  [0xe2, { name: 'ICC_PROFILE\0', bytesMax: Infinity }],
  [0xee, { name: 'Adobe', bytesMax: 12 }],
]);

interface Segment {
  code: number;
  /** The bytes after the segment's length. */
  data: Uint8Array;
}

export const inspectJpeg: InspectFormat = (bytes) => {
  const segments = segmentsIn(bytes);
  if (!segments?.some(({ code }) => code === markerCodes.scan)) return undefined;
  const frames = segments.filter(({ code }) => isFrameHeader(code));
  const [frame] = frames;
  if (frames.length !== 1 || !frame || frame.data.length < frameBytesMin) return undefined;
  const others = segments.filter(
    ({ code }) => code !== markerCodes.scan && !isFrameHeader(code) && !tableCodes.has(code),
  );
  if (!others.every(({ code }) => isAppOrComment(code))) return undefined;
  return {
    height: readUint(frame.data, 1, 2),
    width: readUint(frame.data, 3, 2),
    hasMetadata: !others.every(isAllowedAppSegment),
  };
};

/** Returns the segments. Returns undefined if the bytes do not end with the end marker right after the last segment. */
function segmentsIn(bytes: Uint8Array): Segment[] | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== markerCodes.start) return undefined;
  const segments: Segment[] = [];
  let at = 2;
  while (at + 2 <= bytes.length && bytes[at] === 0xff) {
    const code = bytes[at + 1]!;
    if (code === markerCodes.end) return at + 2 === bytes.length ? segments : undefined;
    // Any number of fill bytes 0xff may precede a marker.
    if (code === 0xff) {
      at++;
      continue;
    }
    const length = readUint(bytes, at + 2, 2);
    if (segments.length === partsMax) return undefined;
    if (length < 2 || at + 2 + length > bytes.length) return undefined;
    segments.push({ code, data: bytes.subarray(at + 4, at + 2 + length) });
    at += 2 + length;
    while (code === markerCodes.scan && at + 1 < bytes.length && (bytes[at] !== 0xff || continuesScan(bytes[at + 1]!)))
      at++;
  }
  return undefined;
}

/** The length of a frame header's precision, height, width and number of components. */
const frameBytesMin = 6;

function isAllowedAppSegment({ code, data }: Segment): boolean {
  const allowed = allowedAppSegments.get(code);
  return allowed !== undefined && data.length <= allowed.bytesMax && hasText(data, 0, allowed.name);
}
