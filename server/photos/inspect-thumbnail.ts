/** Decides whether bytes are a thumbnail that may be stored. Reads only the headers. Pure. */
import { inspectJpeg } from './formats/jpeg.ts';
import { inspectWebp } from './formats/webp.ts';
import type { PhotoFlaw } from './inspect-photo.ts';

/** A thumbnail must be cheap to decode, since it is shown before its photo has arrived and been verified. */
const thumbnailSidePixelsMax = 1_024;

const inspectorByType = { 'image/jpeg': inspectJpeg, 'image/webp': inspectWebp } as const;
type ThumbnailType = keyof typeof inspectorByType;

export const thumbnailTypeOf = (bytes: Uint8Array): ThumbnailType => (bytes[0] === 0xff ? 'image/jpeg' : 'image/webp');

export function flawOfThumbnail(bytes: Uint8Array): PhotoFlaw | undefined {
  const inspected = inspectorByType[thumbnailTypeOf(bytes)](bytes);
  if (!inspected || Math.max(inspected.width, inspected.height) > thumbnailSidePixelsMax) return 'photo_corrupt';
  return inspected.hasMetadata ? 'photo_has_metadata' : undefined;
}
