/** Puts together the photo uploads and the photo storage of a server. */
import { join } from 'node:path';
import type { Plan } from '../../shared/schema/account.ts';
import type { World } from '../core/world.ts';
import type { PhotoReferenceStore } from '../store/photos/photo-reference.ts';
import type { PhotoStore } from '../store/photos/photo-row.ts';
import type { BucketSettings } from './s3/bucket-settings.ts';
import { collectPhotos } from './collect-photos.ts';
import { createFolderStorage } from './folder-storage.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { PhotoUploads } from './photo-uploads.ts';
import { sweepUploads } from './sweep-uploads.ts';

export interface PhotoLibrary {
  uploads: PhotoUploads;
  /** The bytes of stored photos. */
  storage: PhotoStorage;
  /** Removes the account's idle uploads and unreferenced photos. Returns how many of each it removed. */
  sweep(accountId: string, signal?: AbortSignal): Promise<{ uploads: number; photos: number }>;
  /** Limits the bytes of all photos of an account. */
  bytesMax: Record<Plan, number>;
}

export interface PhotoStorageOptions {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** True if all server processes see the same `dataDir`, so that a server on PostgreSQL can store photos there. */
  sharesPhotos?: boolean | undefined;
  /** The bucket that stores the photos instead of `dataDir`. All server processes use the same bucket. */
  photoBucket?: BucketSettings | undefined;
}

interface PhotoLibraryDependencies {
  store: PhotoStore & PhotoReferenceStore;
  world: World;
  bytesMax: Record<Plan, number>;
}

export const photosFolder = (dataDir: string): string => join(dataDir, 'photos');

/** Resolves with undefined if other server processes might not see the photos that this process stores. */
export async function openPhotoLibrary(
  place: PhotoStorageOptions,
  { store, world, bytesMax }: PhotoLibraryDependencies,
): Promise<PhotoLibrary | undefined> {
  const storage = await openStorage(place, world);
  if (!storage) return undefined;
  const dependencies = { store, storage, world };
  const uploads = new PhotoUploads(dependencies);
  const sweep = async (accountId: string, signal?: AbortSignal) => ({
    uploads: await sweepUploads(dependencies, accountId, signal),
    photos: await collectPhotos(dependencies, accountId, signal),
  });
  return { uploads, storage, sweep, bytesMax };
}

/** Loads the S3 driver only if there is a bucket. */
async function openStorage(place: PhotoStorageOptions, world: World): Promise<PhotoStorage | undefined> {
  const { dataDir, databaseUrl, sharesPhotos = false, photoBucket } = place;
  if (photoBucket) {
    const { openS3Storage } = await import('./s3/s3-storage.ts');
    return openS3Storage(photoBucket, world);
  }
  return databaseUrl === undefined || sharesPhotos ? createFolderStorage(photosFolder(dataDir)) : undefined;
}
