/** Ends the uploads that get no bytes any more: by the daily sweep, and before their photo is declared anew. */
import type { PhotoReferenceStore } from '../store/photos/photo-reference.ts';
import type { PhotoRow } from '../store/photos/photo-row.ts';
import { pauseAfterBatch } from '../store/retention.ts';
import { beginAnew, claimUpload, removeUpload, type ClaimParts } from './claim-upload.ts';

interface SweepParts extends ClaimParts {
  store: ClaimParts['store'] & Pick<PhotoReferenceStore, 'isPhotoReferenced'>;
}

/** An upload that gets no byte for this long has ended, unless a run refers to it. */
export const uploadIdleMsMax = 14 * 24 * 60 * 60 * 1000;

const sweptAtOnce = 100;

/** Ends the uploads of an account that got no byte for `uploadIdleMsMax`. Returns how many it removed. */
export async function sweepUploads(parts: SweepParts, accountId: string, signal?: AbortSignal): Promise<number> {
  for (let count = 0; ;) {
    const query = { receivedBefore: receivedBefore(parts), limit: sweptAtOnce };
    const ids = await parts.store.idleUploads(accountId, query);
    let isProgress = false;
    for (const id of ids) {
      if (signal?.aborted) return count;
      const outcome = await endIdleUpload(parts, accountId, id);
      isProgress ||= outcome !== 'left';
      count += Number(outcome === 'removed');
    }
    if (ids.length < sweptAtOnce || !isProgress) return count;
    await pauseAfterBatch();
  }
}

/** Returns true if an upload ended by itself. */
export async function hasEnded({ store, world }: SweepParts, accountId: string, photo: PhotoRow): Promise<boolean> {
  const isIdle = photo.stored_at === null && world.now() - Date.parse(photo.received_at) > uploadIdleMsMax;
  return isIdle && !(await store.isPhotoReferenced(accountId, photo.id));
}

/** A run's photo may be sent after months, and its thumbnail is all that people see until then: it loses its bytes alone. */
export async function endIdleUpload(
  parts: SweepParts,
  accountId: string,
  id: string,
): Promise<'removed' | 'emptied' | 'left'> {
  const photo = await parts.store.photo(accountId, id);
  const claim = photo && (await claimUpload(parts, accountId, photo, { receivedBefore: receivedBefore(parts) }));
  if (claim === undefined) return 'left';
  if (await parts.store.isPhotoReferenced(accountId, id))
    return (await beginAnew(parts, accountId, id, claim)) ? 'emptied' : 'left';
  return (await removeUpload(parts, accountId, id, claim)) ? 'removed' : 'left';
}

const receivedBefore = ({ world }: SweepParts): string => new Date(world.now() - uploadIdleMsMax).toISOString();
