/**
 * Removes the stored photos that no run has referred to for 30 days. A daily sweep marks a photo, and a later one removes it:
 *
 *   marked ─► 30 days ─► an upload at 0 that is claimed ─► bytes removed ─► row removed
 *
 * A run that refers to the photo, or a client that declares it again, keeps it. If the process dies in between, the row is an
 * upload without bytes, which ends by itself.
 */
import { operator } from '../core/caller.ts';
import { isoNow, randomUuid, type World } from '../core/world.ts';
import type { PhotoReferenceStore } from '../store/photos/photo-reference.ts';
import type { PhotoStore } from '../store/photos/photo-row.ts';
import { pauseAfterBatch } from '../store/retention.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { claimMs, removeUpload } from './claim-upload.ts';

interface CollectionParts {
  store: PhotoStore & PhotoReferenceStore;
  storage: PhotoStorage;
  world: World;
}

export const unreferencedMsMax = 30 * 24 * 60 * 60 * 1000;

const collectedAtOnce = 100;

/** Marks and removes unreferenced photos of an account. Returns how many were removed. */
export async function collectPhotos(parts: CollectionParts, accountId: string, signal?: AbortSignal): Promise<number> {
  const { store, world } = parts;
  await mark(parts, accountId, signal);
  const unreferencedBefore = new Date(world.now() - unreferencedMsMax).toISOString();
  for (let count = 0; ;) {
    const ids = await store.unreferencedPhotos(accountId, { unreferencedBefore, limit: collectedAtOnce });
    for (const id of ids) {
      if (signal?.aborted) return count;
      count += Number(await collect(parts, { accountId, id, unreferencedBefore }));
    }
    if (ids.length < collectedAtOnce) return count;
    await pauseAfterBatch();
  }
}

/** Marks few photos at once, since each row has a thumbnail. */
async function mark(
  { store, world }: CollectionParts,
  accountId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let after: string | undefined; ;) {
    const ids = await store.storedPhotoIds(accountId, { after, limit: collectedAtOnce });
    const [from] = ids;
    const to = ids.at(-1);
    if (from !== undefined && to !== undefined)
      await store.markUnreferenced(accountId, { from, to, now: isoNow(world) });
    if (ids.length < collectedAtOnce || signal?.aborted) return;
    after = to;
    await pauseAfterBatch();
  }
}

async function collect(
  parts: CollectionParts,
  { accountId, id, unreferencedBefore }: { accountId: string; id: string; unreferencedBefore: string },
): Promise<boolean> {
  const { store, world } = parts;
  const until = new Date(world.now() + claimMs).toISOString();
  const claimed = { unreferencedBefore, claim: randomUuid(world), now: isoNow(world), until };
  if (!(await store.claimUnreferenced(accountId, id, claimed))) {
    await store.unmarkPhoto(accountId, id);
    return false;
  }
  if (await store.isPhotoReferenced(accountId, id)) {
    await keepPhoto(parts, accountId, { id, claim: claimed.claim });
    return false;
  }
  return removeUpload(parts, accountId, id, claimed.claim);
}

/** A run may refer to the photo while it is forgotten. Its bytes are still there. */
async function keepPhoto(
  { store, world }: CollectionParts,
  accountId: string,
  { id, claim }: { id: string; claim: string },
): Promise<void> {
  const photo = await store.photo(accountId, id);
  if (!photo) return;
  const now = isoNow(world);
  if (await store.advanceUpload(accountId, id, { claim, offset: photo.bytes, now, keepsClaim: true }))
    await store.finishPhoto(accountId, id, { claim, now, actor: operator });
}
