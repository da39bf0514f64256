/**
 * Once the server has applied or rejected a mutation of a sync client, the client has one owner for ever. The owner is a
 * device of an account, or all API keys of the account together. The first device that pushes the client id becomes its
 * owner, even if this device only forwards.
 * Another device of the account may only forward the client's mutations, in requests with `carried`. A device forwards
 * the mutations that it made under another client id before it was paired, and the mutations of a device that it
 * replaces. The column `sync_clients.device_id` names the last sender, not the owner.
 */
import { invalidTokenRefusal, type Caller } from '../core/caller.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { ClientOwner, Store } from '../store/store.ts';

export interface ClientOwners {
  /** Makes the caller the owner of a new client, or refuses a client that the caller may not use. */
  claim(clientId: string, caller: SyncClientCaller & Pick<Caller, 'tokenHash'>): Promise<ClientClaim | RefusedRequest>;
  /**
   * Removes the owner of a client of which the server applied or rejected no mutation, so that a first push without
   * effect leaves no row.
   */
  release(clientId: string, owner: ClientOwner): Promise<void>;
  /** Refuses the same clients as `claim`, but does not make the caller an owner. */
  check(clientId: string, caller: SyncClientCaller): Promise<RefusedRequest | undefined>;
}

interface ClientClaim {
  ok: true;
  /** True if the client had no owner before this claim. */
  isNew: boolean;
}

interface SyncClientCaller extends Pick<Caller, 'accountId' | 'deviceId'> {
  /** True if the caller forwards mutations that were made under another client id. */
  carried?: boolean | undefined;
}

/** Limits the owners that this process caches. An owner changes only after a first push without effect. */
const ownersCachedMax = 50_000;

export function createClientOwners(store: Store): ClientOwners {
  const cache = new Map<string, ClientOwner>();

  const cacheOwner = (clientId: string, owner: ClientOwner): ClientOwner => {
    if (cache.size >= ownersCachedMax) cache.clear();
    cache.set(clientId, owner);
    return owner;
  };

  return {
    async claim(clientId, { accountId, deviceId, carried, tokenHash }) {
      let owner = cache.get(clientId) ?? (await store.clientOwner(clientId));
      const isNew = !owner;
      if (!owner) {
        // A revoked token must not store a claim. The push checks the token only after the claim is stored.
        const token = await store.token({ accountId, tokenHash });
        if (token && token.revoked_at !== null) return invalidTokenRefusal;
        owner = await store.claimClient(clientId, { accountId, deviceId });
      }
      return (
        ownerRefusal(cacheOwner(clientId, owner), { clientId, accountId, deviceId, carried }) ?? { ok: true, isNew }
      );
    },
    async release(clientId, owner) {
      cache.delete(clientId);
      await store.releaseClient(clientId, owner);
    },
    async check(clientId, { accountId, deviceId, carried }) {
      const owner = cache.get(clientId) ?? (await store.clientOwner(clientId));
      return owner && ownerRefusal(cacheOwner(clientId, owner), { clientId, accountId, deviceId, carried });
    },
  };
}

function ownerRefusal(owner: ClientOwner, caller: SyncClientCaller & { clientId: string }): RefusedRequest | undefined {
  const sameAccount = owner.accountId === caller.accountId;
  if (sameAccount && (owner.deviceId === caller.deviceId || caller.carried)) return undefined;
  const { clientId } = caller;
  // The refusal is the same for a client of another account, so that nobody learns whose client it is.
  const detail = `The client ${clientId} belongs to someone else.`;
  return { ok: false, error: { code: 'forbidden', detail, members: { client_id: clientId } } };
}
