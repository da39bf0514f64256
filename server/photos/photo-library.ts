/** The photos of a server: their uploads and their stored bytes. */
import { join } from 'node:path';
import type { Plan } from '../../shared/schema/account.ts';
import type { World } from '../core/world.ts';
import type { PhotoStore } from '../store/photos/photo-row.ts';
import { folderStorage } from './folder-storage.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { PhotoUploads } from './photo-uploads.ts';

export interface PhotoLibrary {
  uploads: PhotoUploads;
  /** The bytes of stored photos. */
  storage: PhotoStorage;
  /** Limits the bytes of all photos of an account. */
  bytesMax: Record<Plan, number>;
}

interface PhotoFolder {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** True if all processes of the PostgreSQL see the same `dataDir`. */
  sharesPhotos?: boolean | undefined;
}

interface PhotoLibraryParts {
  store: PhotoStore;
  world: World;
  bytesMax: Record<Plan, number>;
}

export const photosFolder = (dataDir: string): string => join(dataDir, 'photos');

/** Returns undefined if other processes of the server might not see the photos that this one keeps. */
export function openPhotoLibrary(
  { dataDir, databaseUrl, sharesPhotos = false }: PhotoFolder,
  { store, world, bytesMax }: PhotoLibraryParts,
): PhotoLibrary | undefined {
  if (databaseUrl !== undefined && !sharesPhotos) return undefined;
  const storage = folderStorage(photosFolder(dataDir));
  return { uploads: new PhotoUploads({ store, storage, world }), storage, bytesMax };
}
