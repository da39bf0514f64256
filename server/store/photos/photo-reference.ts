/**
 * References from runs to photos. A reference is written with its run, even if the photo's bytes have not arrived yet.
 */
import { hexOfPhotoId } from '../../../shared/schema/photos/photo-id.ts';
import type { RunStep } from '../../../shared/schema/run.ts';
import type { RunRow } from '../rows/documents.ts';
import type { PhotoRow } from './photo-row.ts';

export interface PhotoReferenceRow {
  /** Lower-case hex of the SHA-256 of the photo's bytes. */
  photo_id: string;
  run_id: number;
  /** When the server stored the run. */
  referenced_at: string;
}

/** A reference to a photo whose bytes are not stored. */
export interface AwaitedPhoto extends PhotoReferenceRow {
  map_id: string;
  /** The device that recorded the run; null for an API key. */
  device_id: string | null;
}

/** The position of a page's last reference, after which the next page begins. */
export type ReferencePosition = Pick<PhotoReferenceRow, 'photo_id' | 'run_id'>;

export type ReferencedPhoto = Pick<PhotoRow, 'id' | 'content_type' | 'bytes' | 'width' | 'height' | 'stored_at'>;

/** A sweep's claim on an unreferenced photo that it is about to remove. */
export interface UnreferencedPhotoClaim {
  /** The claim fails if a run has referred to the photo since this instant. */
  unreferencedBefore: string;
  claim: string;
  now: string;
  /** When the claim expires. */
  until: string;
}

export interface PhotoReferenceStore {
  isPhotoReferenced(accountId: string, id: string): Promise<boolean>;
  /** Reads the photos that the run refers to. Leaves out photos that nobody has declared. */
  photosOfRun(accountId: string, runId: number): Promise<ReferencedPhoto[]>;
  /** Lists awaited photos, sorted by photo id and run id. */
  awaitedPhotos(
    accountId: string,
    query: { after: ReferencePosition | undefined; limit: number },
  ): Promise<AwaitedPhoto[]>;
  /** Lists the ids of stored photos, in ascending order. */
  storedPhotoIds(accountId: string, query: { after: string | undefined; limit: number }): Promise<string[]>;
  /**
   * Marks each stored photo with an id from `from` to `to` that no run refers to, and unmarks the other stored photos in
   * this range.
   */
  markUnreferenced(accountId: string, photos: { from: string; to: string; now: string }): Promise<void>;
  /** Unmarks a photo. If no run refers to it, the next sweep marks it anew, and its 30 days begin again. */
  unmarkPhoto(accountId: string, id: string): Promise<void>;
  /** Lists the stored photos that were marked at or before `unreferencedBefore`, in the order of their marks. */
  unreferencedPhotos(accountId: string, query: { unreferencedBefore: string; limit: number }): Promise<string[]>;
  /**
   * Turns a marked photo into a claimed upload at offset 0. Returns false if a run refers to it, or if it is not
   * marked.
   */
  claimUnreferenced(accountId: string, id: string, claim: UnreferencedPhotoClaim): Promise<boolean>;
}

/**
 * Returns the ids of the photos that steps refer to, each once, in the order of the steps. Texts that are no photo id
 * are skipped.
 */
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

/** Returns the references of a run's steps, and of the recorded steps that a correction replaced. */
export function referencesOf({ id, created_at, doc }: RunRow): PhotoReferenceRow[] {
  if (!doc) return [];
  const photoIds = photoIdsOf([...doc.steps, ...(doc.recorded_steps ?? [])]);
  return photoIds.map((photo_id) => ({ photo_id, run_id: id, referenced_at: created_at }));
}
