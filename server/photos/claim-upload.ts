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
 * A request claims the upload after its bytes have arrived, and then writes 1 MiB much faster than this. If the process
 * dies, the client waits until the claim expires.
 */
export const claimLifetimeMs = 10_000;

/**
 * Claims an upload, or renews the given claim, and returns it. Returns undefined if another request has moved the
 * upload or holds a claim.
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
 * Removes the bytes before the row: if the process dies in between, the row remains, and the removal can be repeated.
 * Returns false if the claim expired meanwhile.
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
  // Renew the claim, since the verification before may have used most of its time.
  if ((await claimUpload(dependencies, accountId, { id, received_bytes: 0 }, { claim })) === undefined) return false;
  await storage.remove({ accountId, id });
  await store.releaseUpload(accountId, id, claim);
  return true;
}
