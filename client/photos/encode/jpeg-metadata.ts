/**
 * Removes the metadata of a JPEG. WebKit's canvas writes an Exif segment of its own, and a server refuses photos with
 * Exif.
 */
export function withoutMetadata(jpeg: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const kept: Uint8Array<ArrayBuffer>[] = [jpeg.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff) {
    const code = jpeg[at + 1]!;
    // Stop at the marker SOS (0xda): the picture's data follow.
    if (code === 0xda) break;
    const end = at + 2 + (jpeg[at + 2]! << 8) + jpeg[at + 3]!;
    if (!isMetadata(code, jpeg.subarray(at + 4, end))) kept.push(jpeg.subarray(at, end));
    at = end;
  }
  return [...kept, jpeg.subarray(at)];
}

/**
 * The application segments to keep: the code of each, and the name with which its content must begin. APP0 marks a JFIF
 * file; APP2 and APP14 describe the colours. A server accepts no other names.
 */
const keptSegmentNames: ReadonlyMap<number, string> = new Map([
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);

/** Tells whether a segment is a comment or an application segment that the picture does not need. */
function isMetadata(code: number, content: Uint8Array): boolean {
  if (code !== 0xfe && (code < 0xe0 || code > 0xef)) return false;
  const name = keptSegmentNames.get(code);
  return name === undefined || String.fromCodePoint(...content.subarray(0, name.length)) !== name;
}
