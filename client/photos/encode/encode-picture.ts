/**
 * Encodes a picture as a photo: a JPEG of at most 2,048 pixels a side, with a thumbnail. Needs a worker with
 * `OffscreenCanvas`.
 */
import { thumbnailBytesMax } from '../../../shared/schema/limits.ts';
import { withoutMetadata } from './jpeg-metadata.ts';

export interface EncodedPhoto {
  photo: Blob;
  thumbnail: Blob | null;
  /** The width of the photo in pixels. */
  width: number;
  height: number;
}

const photoSideMax = 2_048;
const thumbnailSideMax = 320;
const photoQuality = 0.8;
/** The qualities to try until the thumbnail is small enough. */
const thumbnailQualities = [0.7, 0.5, 0.3, 0.1];

/** Rejects with a `DOMException` if the browser cannot decode the picture. */
export async function encodePicture(picture: Blob): Promise<EncodedPhoto> {
  const bitmap = await createImageBitmap(picture, { imageOrientation: 'from-image' });
  try {
    const large = drawScaled(bitmap, photoSideMax);
    const photo = await jpegOf(large, photoQuality);
    return { photo, thumbnail: await thumbnailOf(large), width: large.width, height: large.height };
  } finally {
    bitmap.close();
  }
}

async function thumbnailOf(large: OffscreenCanvas): Promise<Blob | null> {
  const small = drawScaled(large, thumbnailSideMax);
  for (const quality of thumbnailQualities) {
    const thumbnail = await jpegOf(small, quality);
    if (thumbnail.size <= thumbnailBytesMax) return thumbnail;
  }
  return null;
}

function drawScaled(source: ImageBitmap | OffscreenCanvas, sideMax: number): OffscreenCanvas {
  const scale = Math.min(1, sideMax / Math.max(source.width, source.height));
  const sideOf = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  const canvas = new OffscreenCanvas(sideOf(source.width), sideOf(source.height));
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new DOMException('There is no canvas', 'NotSupportedError');
  // A JPEG has no transparency: without this, transparent parts would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Encodes the canvas. Where a browser cannot write JPEG, it silently writes PNG, so the type is checked. */
async function jpegOf(canvas: OffscreenCanvas, quality: number): Promise<Blob> {
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
  if (blob.type !== 'image/jpeg') throw new DOMException('The browser writes no JPEG', 'NotSupportedError');
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return new Blob(withoutMetadata(bytes), { type: blob.type });
}
