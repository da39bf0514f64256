/** Copies the bytes of stored photos from a data folder to a backup, or back. */
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { photoFilePath } from '../photos/folder-storage.ts';
import { photosFolder } from '../photos/photo-library.ts';
import type { StoredPhoto } from '../store/photos/sqlite-photos.ts';
import { linkOrCopy, syncToDisk } from '../store/sqlite/data-folder.ts';

export interface PhotoCopyResult {
  /** How many of the photos the target folder has now. */
  present: number;
  /** The photos that neither the source folder nor the target folder has. */
  missing: StoredPhoto[];
}

/** The outcome of a backup or a restore for the photos. If the photos are in a bucket, it only counts them. */
export type PhotosOutcome = PhotoCopyResult | { inBucket: number };

/** Adds the photos that the folder `to` lacks. The copies are durable when the function returns. */
export function copyPhotos({
  photos,
  from,
  to,
}: {
  photos: Iterable<StoredPhoto>;
  from: string;
  to: string;
}): PhotoCopyResult {
  const missing: StoredPhoto[] = [];
  let present = 0;
  const folders = new Set<string>();
  for (const photo of photos) {
    const key = { accountId: photo.account_id, id: photo.id };
    const target = photoFilePath(photosFolder(to), key);
    const source = photoFilePath(photosFolder(from), key);
    if (fileSizeOf(target) === photo.bytes) present++;
    else if (fileSizeOf(source) === photo.bytes && copyPhoto(source, target)) {
      folders.add(dirname(target));
      present++;
    } else missing.push({ ...photo });
  }
  for (const folder of folders) syncToDisk(folder);
  if (folders.size > 0) syncToDisk(photosFolder(to));
  return { present, missing };
}

/**
 * Links the file if both folders are on one disk, since a stored photo's file never changes. An interrupted copy leaves
 * only a `.copy` file. Returns false if a sweep has just removed the photo.
 */
function copyPhoto(source: string, target: string): boolean {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const incoming = `${target}.copy`;
  rmSync(incoming, { force: true });
  try {
    linkOrCopy(source, incoming);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
  renameSync(incoming, target);
  return true;
}

const fileSizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;
