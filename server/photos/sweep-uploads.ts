/** Removes idle uploads: in the daily sweep, and before a client declares the photo of an idle upload again. */
import type { PhotoReferenceStore } from '../store/photos/photo-reference.ts';
import type { PhotoRow } from '../store/photos/photo-row.ts';
import { pauseAfterBatch } from '../store/retention.ts';
import { emptyUpload, claimUpload, removeUpload, type ClaimDependencies } from './claim-upload.ts';

interface SweepDependencies extends ClaimDependencies {
  store: ClaimDependencies['store'] & Pick<PhotoReferenceStore, 'isPhotoReferenced'>;
}

/** An upload that got no byte for this long has expired, unless a run refers to its photo. */
export const uploadIdleMsMax = 14 * 24 * 60 * 60 * 1000;

const uploadsPerBatch = 100;

/** Removes the account's uploads that got no byte for `uploadIdleMsMax`. Returns how many it removed. */
export async function sweepUploads(
  dependencies: SweepDependencies,
  accountId: string,
  signal?: AbortSignal,
): Promise<number> {
  for (let count = 0; ;) {
    const query = { receivedBefore: idleCutoff(dependencies), limit: uploadsPerBatch };
    const ids = await dependencies.store.idleUploads(accountId, query);
    let isProgress = false;
    for (const id of ids) {
      if (signal?.aborted) return count;
      const outcome = await endIdleUpload(dependencies, accountId, id);
      isProgress ||= outcome !== 'left';
      count += Number(outcome === 'removed');
    }
    if (ids.length < uploadsPerBatch || !isProgress) return count;
    await pauseAfterBatch();
  }
}

/** Tells whether the upload has expired, even if no sweep has removed it yet. */
export async function hasUploadExpired(
  { store, world }: SweepDependencies,
  accountId: string,
  photo: PhotoRow,
): Promise<boolean> {
  const isIdle = photo.stored_at === null && world.now() - Date.parse(photo.received_at) > uploadIdleMsMax;
  return isIdle && !(await store.isPhotoReferenced(accountId, photo.id));
}

/**
 * Removes an idle upload. If a run refers to the photo, removes only the bytes and keeps the row. A device may send the
 * bytes months later, and people see the thumbnail in the row until then.
 */
export async function endIdleUpload(
  dependencies: SweepDependencies,
  accountId: string,
  id: string,
): Promise<'removed' | 'emptied' | 'left'> {
  const photo = await dependencies.store.photo(accountId, id);
  const claim =
    photo && (await claimUpload(dependencies, accountId, photo, { receivedBefore: idleCutoff(dependencies) }));
  if (claim === undefined) return 'left';
  if (await dependencies.store.isPhotoReferenced(accountId, id))
    return (await emptyUpload(dependencies, accountId, id, claim)) ? 'emptied' : 'left';
  return (await removeUpload(dependencies, accountId, id, claim)) ? 'removed' : 'left';
}

const idleCutoff = ({ world }: SweepDependencies): string => new Date(world.now() - uploadIdleMsMax).toISOString();
