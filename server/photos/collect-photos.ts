/**
 * Removes the stored photos that no run has referred to for 30 days. A daily sweep marks such a photo, and a later
 * sweep removes it:
 *
 *   marked ─► 30 days ─► a claimed upload at offset 0 ─► bytes removed ─► row removed
 *
 * The photo stays if a run refers to it, or if a client declares it again. If the process dies during the removal, the
 * photo's row remains as an upload without bytes. The sweep of idle uploads removes this upload later.
 */
import { operatorActor } from '../core/caller.ts';
import { isoNow, randomUuid, type World } from '../core/world.ts';
import type { PhotoReferenceStore } from '../store/photos/photo-reference.ts';
import type { PhotoStore } from '../store/photos/photo-row.ts';
import { pauseAfterBatch } from '../store/retention.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { claimLifetimeMs, removeUpload } from './claim-upload.ts';

interface CollectPhotosDependencies {
  store: PhotoStore & PhotoReferenceStore;
  storage: PhotoStorage;
  world: World;
}

export const unreferencedMsMax = 30 * 24 * 60 * 60 * 1000;

const photosPerBatch = 100;

/** Marks and removes unreferenced photos of an account. Returns how many were removed. */
export async function collectPhotos(
  dependencies: CollectPhotosDependencies,
  accountId: string,
  signal?: AbortSignal,
): Promise<number> {
  const { store, world } = dependencies;
  await markPhotos(dependencies, accountId, signal);
  const unreferencedBefore = new Date(world.now() - unreferencedMsMax).toISOString();
  for (let count = 0; ;) {
    const ids = await store.unreferencedPhotos(accountId, { unreferencedBefore, limit: photosPerBatch });
    for (const id of ids) {
      if (signal?.aborted) return count;
      count += Number(await collectPhoto(dependencies, { accountId, id, unreferencedBefore }));
    }
    if (ids.length < photosPerBatch) return count;
    await pauseAfterBatch();
  }
}

/** Marks photos in small batches, since the row of each photo contains a thumbnail and is large. */
async function markPhotos(
  { store, world }: CollectPhotosDependencies,
  accountId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let after: string | undefined; ;) {
    const ids = await store.storedPhotoIds(accountId, { after, limit: photosPerBatch });
    const [from] = ids;
    const to = ids.at(-1);
    if (from !== undefined && to !== undefined)
      await store.markUnreferenced(accountId, { from, to, now: isoNow(world) });
    if (ids.length < photosPerBatch || signal?.aborted) return;
    after = to;
    await pauseAfterBatch();
  }
}

async function collectPhoto(
  dependencies: CollectPhotosDependencies,
  { accountId, id, unreferencedBefore }: { accountId: string; id: string; unreferencedBefore: string },
): Promise<boolean> {
  const { store, world } = dependencies;
  const until = new Date(world.now() + claimLifetimeMs).toISOString();
  const claimed = { unreferencedBefore, claim: randomUuid(world), now: isoNow(world), until };
  if (!(await store.claimUnreferenced(accountId, id, claimed))) {
    await store.unmarkPhoto(accountId, id);
    return false;
  }
  if (await store.isPhotoReferenced(accountId, id)) {
    await keepPhoto(dependencies, accountId, { id, claim: claimed.claim });
    return false;
  }
  return removeUpload(dependencies, accountId, id, claimed.claim);
}

/**
 * Turns the claimed upload into a stored photo again, for a photo to which a run began to refer during the claim. The
 * storage still has the photo's bytes.
 */
async function keepPhoto(
  { store, world }: CollectPhotosDependencies,
  accountId: string,
  { id, claim }: { id: string; claim: string },
): Promise<void> {
  const photo = await store.photo(accountId, id);
  if (!photo) return;
  const now = isoNow(world);
  if (await store.advanceUpload(accountId, id, { claim, offset: photo.bytes, now, keepsClaim: true }))
    await store.finishPhoto(accountId, id, { claim, now, actor: operatorActor });
}
