/**
 * Claims uploads, so that only one request of all server processes writes or removes the bytes of a photo at a time.
 */
import { isoNow, randomUuid, type World } from '../core/world.ts';
import type { PhotoRow, PhotoStore } from '../store/photos/photo-row.ts';
import type { PhotoStorage } from './photo-storage.ts';

export interface ClaimDependencies {
  store: PhotoStore;
  storage: PhotoStorage;
  world: World;
}

/**
 * A claim expires after this time. A request claims the upload when the body of the request has arrived, and then needs
 * far less than this time to write 1 MiB. If the process dies, clients wait until the claim expires.
 */
export const claimLifetimeMs = 10_000;

/**
 * Claims an upload, or renews the given claim, and returns the claim. Returns undefined if the upload is not at
 * `received_bytes` any more, or if another request has a claim.
 */
export async function claimUpload(
  { store, world }: Pick<ClaimDependencies, 'store' | 'world'>,
  accountId: string,
  { id, received_bytes }: Pick<PhotoRow, 'id' | 'received_bytes'>,
  { claim = randomUuid(world), receivedBefore }: { claim?: string; receivedBefore?: string } = {},
): Promise<string | undefined> {
  const until = new Date(world.now() + claimLifetimeMs).toISOString();
  const isClaimed = await store.claimUpload(accountId, id, {
    claim,
    offset: received_bytes,
    now: isoNow(world),
    until,
    receivedBefore,
  });
  return isClaimed ? claim : undefined;
}

/**
 * Removes the photo's bytes first and the photo's row last. If the process dies in between, the row remains, and the
 * removal can be repeated. Returns false if the claim expired during the removal.
 */
export async function removeUpload(
  { store, storage }: Pick<ClaimDependencies, 'store' | 'storage'>,
  accountId: string,
  id: string,
  claim: string,
): Promise<boolean> {
  await storage.remove({ accountId, id });
  return store.removePhoto(accountId, id, claim);
}

/**
 * Sets the upload to offset 0, and removes its bytes while no other request may write. If the process dies in between,
 * the next upload overwrites the bytes. Returns false if the claim expired.
 */
export async function emptyUpload(
  dependencies: ClaimDependencies,
  accountId: string,
  id: string,
  claim: string,
): Promise<boolean> {
  const { store, storage, world } = dependencies;
  const move = { claim, offset: 0, now: isoNow(world), keepsClaim: true };
  if (!(await store.advanceUpload(accountId, id, move))) return false;
  // Renew the claim, since a verification before this call may have used most of the claim's time.
  if ((await claimUpload(dependencies, accountId, { id, received_bytes: 0 }, { claim })) === undefined) return false;
  await storage.remove({ accountId, id });
  await store.releaseUpload(accountId, id, claim);
  return true;
}
