/** Makes a picture of noise, as a camera held upright writes it: lying, with EXIF data that turn it and have a place. */
export async function makePicture(width: number, height: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  const noise = context.createImageData(width, height);
  for (let at = 0, value = 1; at < noise.data.length; at++) {
    value = (value * 16_807) % 2_147_483_647;
    noise.data[at] = at % 4 === 3 ? 255 : value % 256;
  }
  context.putImageData(noise, 0, 0);
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return new Blob([jpeg.slice(0, 2), exifSegment(), jpeg.slice(2)], { type: 'image/jpeg' });
}

/** Stands behind the first two bytes of a JPEG. */
export const exifSegment = (): Uint8Array<ArrayBuffer> => new Uint8Array([0xff, 0xe1, 0, exif.length + 2, ...exif]);

/** APP1 with a directory of TIFF: Orientation 6, a quarter turn, and a pointer to the directory of the place. */
// oxfmt-ignore
const exif = [
  0x45, 0x78, 0x69, 0x66, 0, 0,
  0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 2,
  0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0,
  0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38,
  0, 0, 0, 0,
  0, 1, 0, 1, 0, 2, 0, 0, 0, 2, 0x4e, 0, 0, 0, 0, 0, 0, 0,
];
