/** An account and its first API key. */
import type { Account, NewAccount, Scope } from '../../shared/schema/account.ts';
import type { Store } from '../store/store.ts';
import { makeToken } from './api-key.ts';
import { sha256 } from './fingerprint.ts';
import { isoNow, timedUuid, type World } from './world.ts';

const allScopes: Scope[] = ['read', 'record', 'write', 'admin'];

/** The key is shown here and never again: only its hash is kept. */
export async function createAccount(
  { store, world }: { store: Store; world: World },
  { name, plan, seats = 0 }: NewAccount,
): Promise<{ account: Account; api_key: string }> {
  const created_at = isoNow(world);
  const account: Account = { id: timedUuid(world), name: name.trim(), plan, additional_seats: seats, created_at };
  const api_key = makeToken('gk_', account.id, world);
  // The key first: should the process die in between, there is no account that nobody has a key to.
  await store.createToken({
    account_id: account.id,
    token_hash: sha256(api_key),
    id: timedUuid(world),
    kind: 'key',
    name: 'First key',
    scopes: allScopes,
    device_id: null,
    last_four: api_key.slice(-4),
    created_at,
    revoked_at: null,
  });
  await store.createAccount(account);
  return { account, api_key };
}
