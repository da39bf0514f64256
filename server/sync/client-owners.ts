/**
 * A sync client belongs to one device of one account for ever, or to the account's API keys together. Another device of
 * the account may carry on what was numbered under it, when it says so: its own work before it was paired, or that of a
 * device that it takes over from. Who knows a client's id has it from there, since no endpoint tells it.
 */
import type { RefusedRequest } from '../core/reply.ts';
import { tokenRefused } from '../mutate/writer.ts';
import type { ClientOwner, Store } from '../store/store.ts';

export interface ClientOwners {
  /** Makes the client the caller's, unless it is someone else's: then a refusal. */
  claim(clientId: string, caller: ClientUser & { tokenHash: string }): Promise<Claim | RefusedRequest>;
  /** Takes back a claim under which nothing was pushed, so that refused pushes leave nothing in the store. */
  release(clientId: string, owner: ClientOwner): Promise<void>;
  /** The same refusal, without claiming anything. */
  check(clientId: string, caller: ClientUser): Promise<RefusedRequest | undefined>;
}

interface Claim {
  ok: true;
  /** Nobody had the client before. */
  isNew: boolean;
}

interface ClientUser extends ClientOwner {
  carried?: boolean | undefined;
}

/** How many owners are remembered in this process. They never change, so that none is ever stale. */
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
        // The client lies on another shard than the account's lock, and would be the caller's for ever.
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

function refusalUnless(owner: ClientOwner, caller: ClientUser & { clientId: string }): RefusedRequest | undefined {
  const sameAccount = owner.accountId === caller.accountId;
  if (sameAccount && (owner.deviceId === caller.deviceId || caller.carried)) return undefined;
  const { clientId } = caller;
  const detail = `The client ${clientId} belongs to someone else.`;
  // The answer is the same in each account: who may carry the client on has it taken once it says so, nobody else has.
  return { ok: false, error: { code: 'forbidden', detail, members: { client_id: clientId } } };
}
