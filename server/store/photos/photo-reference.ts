/** The photos that runs refer to. A reference is written with its run, and is there before, while and after the photo arrives. */
import { hexOfPhotoId } from '../../../shared/schema/photos/photo-id.ts';
import type { RunStep } from '../../../shared/schema/run.ts';
import type { RunRow } from '../rows/documents.ts';
import type { PhotoRow } from './photo-row.ts';

export interface PhotoReferenceRow {
  /** Lower-case hex of the SHA-256 of the photo's bytes. */
  photo_id: string;
  run_id: number;
  /** When the server took the run in. */
  referenced_at: string;
}

/** A photo that a run refers to and that is not stored. */
export interface AwaitedPhoto extends PhotoReferenceRow {
  map_id: string;
  /** The device that recorded the run; null for an API key. */
  device_id: string | null;
}

/** The last reference of a page. */
export type ReferencePosition = Pick<PhotoReferenceRow, 'photo_id' | 'run_id'>;

export type ReferencedPhoto = Pick<PhotoRow, 'id' | 'content_type' | 'bytes' | 'width' | 'height' | 'stored_at'>;

/** Claims a photo for the sweep that removes it. */
export interface CollectionClaim {
  /** The photo is removed only if no run has referred to it since. */
  unreferencedBefore: string;
  claim: string;
  now: string;
  /** When the claim ends by itself. */
  until: string;
}

export interface PhotoReferenceStore {
  isPhotoReferenced(accountId: string, id: string): Promise<boolean>;
  /** Reads those photos of a run's references that were declared. */
  photosOfRun(accountId: string, runId: number): Promise<ReferencedPhoto[]>;
  /** Lists awaited photos in the order of their ids, and of the runs that refer to them. */
  awaitedPhotos(
    accountId: string,
    query: { after: ReferencePosition | undefined; limit: number },
  ): Promise<AwaitedPhoto[]>;
  /** Lists the ids of stored photos, in ascending order. */
  storedPhotoIds(accountId: string, query: { after: string | undefined; limit: number }): Promise<string[]>;
  /** Marks the stored photos with ids `from` to `to` that no run refers to, and unmarks the others of them. */
  markUnreferenced(accountId: string, photos: { from: string; to: string; now: string }): Promise<void>;
  /** Unmarks a photo, so that it is kept for as long as a new one. */
  unmarkPhoto(accountId: string, id: string): Promise<void>;
  /** Lists the stored photos that have been marked since an instant or longer, the oldest first. */
  unreferencedPhotos(accountId: string, query: { unreferencedBefore: string; limit: number }): Promise<string[]>;
  /** Makes a marked photo an upload at 0 that is claimed. Returns false if a run refers to it, or it is no longer marked. */
  forgetUnreferenced(accountId: string, id: string, claim: CollectionClaim): Promise<boolean>;
}

/** Returns the ids of the photos that steps refer to, each once, in the order of the steps. Any other text is no reference. */
export function photoIdsOf(steps: readonly RunStep[]): string[] {
  const ids = new Set<string>();
  for (const { photos } of steps) {
    for (const text of photos) {
      const id = hexOfPhotoId(text);
      if (id !== undefined) ids.add(id);
    }
  }
  return [...ids];
}

/** Returns what a run refers to: in its steps, and in those that were recorded before a correction. */
export function referencesOf({ id, created_at, doc }: RunRow): PhotoReferenceRow[] {
  if (!doc) return [];
  const photoIds = photoIdsOf([...doc.steps, ...(doc.recorded_steps ?? [])]);
  return photoIds.map((photo_id) => ({ photo_id, run_id: id, referenced_at: created_at }));
}
