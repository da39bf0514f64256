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
    if (!isMetadata(code)) kept.push(jpeg.subarray(at, end));
    at = end;
  }
  return [...kept, jpeg.subarray(at)];
}

/** APP1 to APP15 and comments. APP0 says that it is a JFIF file, and APP2 and APP14 how to show its colours. */
const isMetadata = (code: number): boolean =>
  code === 0xfe || (code >= 0xe1 && code <= 0xef && code !== 0xe2 && code !== 0xee);
