/** Claims uploads, so that one request of all processes at a time writes the bytes of a photo or removes them. */
import { isoNow, randomUuid, type World } from '../core/world.ts';
import type { PhotoRow, PhotoStore } from '../store/photos/photo-row.ts';
import type { PhotoStorage } from './photo-storage.ts';

export interface ClaimParts {
  store: PhotoStore;
  storage: PhotoStorage;
  world: World;
}

/**
 * The bytes have arrived before the claim, so a request that writes 1 MiB is over long before. If its process died, the client
 * waits for this long.
 */
export const claimMs = 10_000;

/** Returns undefined if another request has moved the upload, or moves it just now. A claim that is given is renewed. */
export async function claimUpload(
  { store, world }: Pick<ClaimParts, 'store' | 'world'>,
  accountId: string,
  { id, received_bytes }: Pick<PhotoRow, 'id' | 'received_bytes'>,
  { claim = randomUuid(world), receivedBefore }: { claim?: string; receivedBefore?: string } = {},
): Promise<string | undefined> {
  const until = new Date(world.now() + claimMs).toISOString();
  const isClaimed = await store.claimUpload(accountId, id, {
    claim,
    offset: received_bytes,
    now: isoNow(world),
    until,
    receivedBefore,
  });
  return isClaimed ? claim : undefined;
}

/** While the row is there, the upload can be ended again if this process dies. Returns false if the claim ended meanwhile. */
export async function removeUpload(
  { store, storage }: Pick<ClaimParts, 'store' | 'storage'>,
  accountId: string,
  id: string,
  claim: string,
): Promise<boolean> {
  await storage.remove({ accountId, id });
  return store.removePhoto(accountId, id, claim);
}

/** Removes the bytes while nobody else may write. If the process dies before, those of the next upload replace them. */
export async function beginAnew(parts: ClaimParts, accountId: string, id: string, claim: string): Promise<boolean> {
  const { store, storage, world } = parts;
  const move = { claim, offset: 0, now: isoNow(world), keepsClaim: true };
  if (!(await store.advanceUpload(accountId, id, move))) return false;
  // Renew the claim: the verification may have used most of its time.
  if ((await claimUpload(parts, accountId, { id, received_bytes: 0 }, { claim })) === undefined) return false;
  await storage.remove({ accountId, id });
  await store.releaseUpload(accountId, id, claim);
  return true;
}
