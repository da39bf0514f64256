/** A sync client belongs to one device of one account for ever, or to the account's API keys together. */
import type { RefusedRequest } from '../mutate/rest-unit.ts';
import type { ClientOwner, Store } from '../store/store.ts';

export interface ClientOwners {
  /** Makes the client the caller's, unless it is someone else's: then a refusal. */
  claim(clientId: string, caller: ClientOwner): Promise<RefusedRequest | undefined>;
  /** The same refusal, without claiming anything. */
  check(clientId: string, caller: ClientOwner): Promise<RefusedRequest | undefined>;
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
    async claim(clientId, { accountId, deviceId }) {
      const claimed = known.get(clientId) ?? (await store.claimClient(clientId, { accountId, deviceId }));
      return refusalUnless(remember(clientId, claimed), { clientId, accountId, deviceId });
    },
    async check(clientId, { accountId, deviceId }) {
      const owner = known.get(clientId) ?? (await store.clientOwner(clientId));
      return owner && refusalUnless(remember(clientId, owner), { clientId, accountId, deviceId });
    },
  };
}

function refusalUnless(owner: ClientOwner, caller: ClientOwner & { clientId: string }): RefusedRequest | undefined {
  if (owner.accountId === caller.accountId && owner.deviceId === caller.deviceId) return undefined;
  return {
    ok: false,
    error: { code: 'forbidden', detail: `The client ${caller.clientId} belongs to another device.` },
  };
}
