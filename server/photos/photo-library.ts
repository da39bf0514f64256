/** The photos of a server: their uploads and their stored bytes. */
import { join } from 'node:path';
import type { Plan } from '../../shared/schema/account.ts';
import type { World } from '../core/world.ts';
import type { PhotoReferenceStore } from '../store/photos/photo-reference.ts';
import type { PhotoStore } from '../store/photos/photo-row.ts';
import type { BucketSettings } from './s3/bucket-settings.ts';
import { collectPhotos } from './collect-photos.ts';
import { folderStorage } from './folder-storage.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { PhotoUploads } from './photo-uploads.ts';
import { sweepUploads } from './sweep-uploads.ts';

export interface PhotoLibrary {
  uploads: PhotoUploads;
  /** The bytes of stored photos. */
  storage: PhotoStorage;
  /** Ends the idle uploads of an account and collects its unreferenced photos. Returns how many of each there were. */
  sweep(accountId: string, signal?: AbortSignal): Promise<{ uploads: number; photos: number }>;
  /** Limits the bytes of all photos of an account. */
  bytesMax: Record<Plan, number>;
}

export interface PhotoPlace {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** True if all processes of the PostgreSQL see the same `dataDir`, so that photos can be kept there. */
  sharesPhotos?: boolean | undefined;
  /** Keeps the photos in a bucket, which all processes see, instead of `dataDir`. */
  photoBucket?: BucketSettings | undefined;
}

interface PhotoLibraryParts {
  store: PhotoStore & PhotoReferenceStore;
  world: World;
  bytesMax: Record<Plan, number>;
}

export const photosFolder = (dataDir: string): string => join(dataDir, 'photos');

/** Resolves with undefined if other processes of the server might not see the photos that this one keeps. */
export async function openPhotoLibrary(
  place: PhotoPlace,
  { store, world, bytesMax }: PhotoLibraryParts,
): Promise<PhotoLibrary | undefined> {
  const storage = await openStorage(place, world);
  if (!storage) return undefined;
  const parts = { store, storage, world };
  const uploads = new PhotoUploads(parts);
  const sweep = async (accountId: string, signal?: AbortSignal) => ({
    uploads: await sweepUploads(parts, accountId, signal),
    photos: await collectPhotos(parts, accountId, signal),
  });
  return { uploads, storage, sweep, bytesMax };
}

/** Loads the driver of the bucket for those alone who have one. */
async function openStorage(place: PhotoPlace, world: World): Promise<PhotoStorage | undefined> {
  const { dataDir, databaseUrl, sharesPhotos = false, photoBucket } = place;
  if (photoBucket) {
    const { openS3Storage } = await import('./s3/s3-storage.ts');
    return openS3Storage(photoBucket, world);
  }
  return databaseUrl === undefined || sharesPhotos ? folderStorage(photosFolder(dataDir)) : undefined;
}
