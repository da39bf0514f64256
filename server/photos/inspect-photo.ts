/** Decides whether bytes are a photo that may be stored. Reads only the headers, and decodes nothing. Pure. */
import type { PhotoType } from '../../shared/schema/photos/photo-types.ts';
import { photoSidePixelsMax } from '../../shared/schema/photos/photo.ts';
import { inspectAvif } from './formats/avif.ts';
import type { InspectFormat } from './formats/format.ts';
import { inspectJpeg } from './formats/jpeg.ts';
import { inspectPng } from './formats/png.ts';
import { inspectWebp } from './formats/webp.ts';

/** A photo as the device declared it. `width` and `height` are in pixels. */
export interface DeclaredPhoto {
  content_type: PhotoType;
  width: number;
  height: number;
}

/**
 * `photo_corrupt`: the bytes are not one complete file of the declared type and size, or the decoded picture would be
 * too large.
 */
export type PhotoFlaw = 'photo_corrupt' | 'photo_has_metadata';

const inspectorByType: Readonly<Record<PhotoType, InspectFormat>> = {
  'image/jpeg': inspectJpeg,
  'image/png': inspectPng,
  'image/webp': inspectWebp,
  'image/avif': inspectAvif,
};

/** A decoder needs four bytes for each pixel, so at most 200 MB. */
export const pixelsMax = 50_000_000;

export function photoFlawOf(bytes: Uint8Array, { content_type, width, height }: DeclaredPhoto): PhotoFlaw | undefined {
  const inspected = inspectorByType[content_type](bytes);
  const isSound =
    inspected?.width === width &&
    inspected.height === height &&
    Math.min(width, height) > 0 &&
    Math.max(width, height) <= photoSidePixelsMax &&
    width * height <= pixelsMax;
  if (!isSound) return 'photo_corrupt';
  return inspected.hasMetadata ? 'photo_has_metadata' : undefined;
}
