/**
 * Removes what a JPEG has besides its picture. WebKit's canvas writes an Exif segment of its own, and a server refuses a photo
 * with any.
 */
export function withoutMetadata(jpeg: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const kept: Uint8Array<ArrayBuffer>[] = [jpeg.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff) {
    const code = jpeg[at + 1]!;
    // The scan has the rest of the picture.
    if (code === 0xda) break;
    const end = at + 2 + (jpeg[at + 2]! << 8) + jpeg[at + 3]!;
    if (!isMetadata(code, jpeg.subarray(at + 4, end))) kept.push(jpeg.subarray(at, end));
    at = end;
  }
  return [...kept, jpeg.subarray(at)];
}

/** APP0 says that it is a JFIF file, and APP2 and APP14 how to show its colours: a server takes no other names of these. */
const namesKept: ReadonlyMap<number, string> = new Map([
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);

/** Tells whether a segment is one of APP0 to APP15, or a comment, that says nothing of the picture. */
function isMetadata(code: number, content: Uint8Array): boolean {
  if (code !== 0xfe && (code < 0xe0 || code > 0xef)) return false;
  const name = namesKept.get(code);
  return name === undefined || String.fromCodePoint(...content.subarray(0, name.length)) !== name;
}
