/** An account and its first API key. */
import type { Account, NewAccount } from '../../shared/schema/account.ts';
import type { NewAccountRow, Store } from '../store/store.ts';
import { accountRecord } from './account-record.ts';
import { newToken } from './api-key.ts';
import { allScopes } from './scopes.ts';
import { isoNow, timedUuid, type World } from './world.ts';

/** The key is shown here and never again: only its hash is kept. */
export async function createAccount(
  { store, world }: { store: Store; world: World },
  { name, plan, seats }: NewAccount,
): Promise<{ account: Account; api_key: string }> {
  const row: NewAccountRow = {
    id: timedUuid(world),
    name: name.trim(),
    plan,
    additional_seats: seats ?? 0,
    seats_limited: seats !== undefined,
    created_at: isoNow(world),
  };
  const key = newToken({ accountId: row.id, name: 'First key', scopes: allScopes, deviceId: null }, world);
  // The key first: should the process die in between, there is no account that nobody has a key to.
  await store.createToken(key.row);
  await store.createAccount(row);
  return { account: accountRecord(row), api_key: key.token };
}
