/**
 * A sync client belongs for ever to one device of an account, or to all API keys of an account. Another device of the
 * account may forward the client's mutations if the request says so (`carried`): the client id that the device had before
 * it was paired, or that of a device that it replaces. No endpoint reveals client ids.
 */
import type { RefusedRequest } from '../core/reply.ts';
import { tokenRefused } from '../mutate/token-check.ts';
import type { ClientOwner, Store } from '../store/store.ts';

export interface ClientOwners {
  /** Makes the caller the owner of a new client, or refuses a client that the caller may not use. */
  claim(clientId: string, caller: ClientCaller & { tokenHash: string }): Promise<Claim | RefusedRequest>;
  /** Undoes a claim without pushed mutations, so that refused pushes leave no rows in the store. */
  release(clientId: string, owner: ClientOwner): Promise<void>;
  /** Refuses as `claim` does, but claims nothing. */
  check(clientId: string, caller: ClientCaller): Promise<RefusedRequest | undefined>;
}

interface Claim {
  ok: true;
  /** True if the client had no owner before. */
  isNew: boolean;
}

interface ClientCaller extends ClientOwner {
  carried?: boolean | undefined;
}

/** Limits the owners cached in this process. A client's owner never changes, so no cached owner is stale. */
const rememberedMax = 50_000;

export function createClientOwners(store: Store): ClientOwners {
  const known = new Map<string, ClientOwner>();

  const remember = (clientId: string, owner: ClientOwner): ClientOwner => {
    if (known.size >= rememberedMax) known.clear();
    known.set(clientId, owner);
    return owner;
  };

  return {
    async claim(clientId, { accountId, deviceId, carried, tokenHash }) {
      let owner = known.get(clientId) ?? (await store.clientOwner(clientId));
      const isNew = !owner;
      if (!owner) {
        // The claim lasts for ever and happens outside the account's lock, so a revoked token is refused first.
        const token = await store.token({ accountId, tokenHash });
        if (token && token.revoked_at !== null) return tokenRefused;
        owner = await store.claimClient(clientId, { accountId, deviceId });
      }
      return (
        refusalUnless(remember(clientId, owner), { clientId, accountId, deviceId, carried }) ?? { ok: true, isNew }
      );
    },
    async release(clientId, owner) {
      known.delete(clientId);
      await store.releaseClient(clientId, owner);
    },
    async check(clientId, { accountId, deviceId, carried }) {
      const owner = known.get(clientId) ?? (await store.clientOwner(clientId));
      return owner && refusalUnless(remember(clientId, owner), { clientId, accountId, deviceId, carried });
    },
  };
}

function refusalUnless(owner: ClientOwner, caller: ClientCaller & { clientId: string }): RefusedRequest | undefined {
  const sameAccount = owner.accountId === caller.accountId;
  if (sameAccount && (owner.deviceId === caller.deviceId || caller.carried)) return undefined;
  const { clientId } = caller;
  const detail = `The client ${clientId} belongs to someone else.`;
  // The refusal is the same for every account, so it does not reveal whose client it is.
  return { ok: false, error: { code: 'forbidden', detail, members: { client_id: clientId } } };
}
