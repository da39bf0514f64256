import type { PhotosOutcome } from '../backup/copy-photos.ts';

const listedPhotosMax = 10;

/** Returns lines that count the stored photos and name the missing ones; no lines if there are none. */
export function photoLines(photos: PhotosOutcome): string[] {
  if ('inBucket' in photos) {
    const line = `Photos: ${photos.inBucket} of the database, whose bytes are in the bucket at GEMBA_S3_URL and were left alone (docs/operations.md).`;
    return photos.inBucket > 0 ? [line] : [];
  }
  const { present, missing } = photos;
  if (present + missing.length === 0) return [];
  const listed = missing.slice(0, listedPhotosMax).map(({ account_id, id }) => `  account ${account_id}: sha256:${id}`);
  return [
    `Photos: ${present}${missing.length > 0 ? `, missing: ${missing.length}` : ''}.`,
    ...listed,
    ...(missing.length > listedPhotosMax ? [`  and ${missing.length - listedPhotosMax} more`] : []),
  ];
}
