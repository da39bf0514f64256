/** An account and its first API key. */
import { stringify } from 'uuid';
import type { Account, NewAccount } from '../../shared/schema/account.ts';
import type { NewAccountRow } from '../store/account-row.ts';
import type { Store } from '../store/store.ts';
import { credentialTransaction } from './credential-transaction.ts';
import { accountRecord } from './account-record.ts';
import { answered, secretHeaders, type RestReply } from '../core/reply.ts';
import { sha256 } from '../core/hash.ts';
import type { IdempotencyKey } from '../mutate/rest-unit.ts';
import { allScopes } from './scopes.ts';
import { newToken } from './token.ts';
import { isoNow, timedUuid, type World } from '../core/world.ts';

interface Services {
  store: Store;
  world: World;
}

interface NewAccountResult {
  account: Account;
  api_key: string;
}

const firstKeyName = 'First key';

/** The key is shown here and never again: only its hash is kept. */
export async function createAccount(services: Services, fields: NewAccount): Promise<NewAccountResult> {
  const { store, world } = services;
  const row = accountRow(timedUuid(world), fields, world);
  const key = newToken({ accountId: row.id, name: firstKeyName, scopes: allScopes, deviceId: null }, world);
  // The key first: should the process die in between, there is no account that nobody has a key to.
  await store.createToken(key.row);
  await store.createAccount(row);
  return { account: accountRecord(row), api_key: key.token };
}

/**
 * Once for its idempotency key. The account's id follows from it, so that whoever repeats the request finds the account,
 * and in it the answer; should the process have died in between, the repetition finishes what it began.
 */
export async function createAccountOnce(
  services: Services,
  fields: NewAccount,
  idempotency: IdempotencyKey,
): Promise<RestReply> {
  const { store, world } = services;
  const accountId = idOf(idempotency.key);
  await store.createAccount(accountRow(accountId, fields, world));
  const key = newToken({ accountId, name: firstKeyName, scopes: allScopes, deviceId: null }, world);
  return credentialTransaction(
    services,
    { accountId, tokenHash: null },
    {
      readSet: {},
      idempotency,
      decide(credentials) {
        // The answer was forgotten: the account is somebody's by now.
        if (credentials.hasAdminKey()) return usedLongAgo(idempotency.key);
        credentials.addKey(key.row);
        const body: NewAccountResult = { account: accountRecord(credentials.account), api_key: key.token };
        return answered(201, body, secretHeaders);
      },
    },
  );
}

function usedLongAgo(key: string): RestReply {
  const detail = `The idempotency key ${key} made an account long ago.`;
  return { ok: false, error: { code: 'idempotency_key_mismatch', detail } };
}

function accountRow(id: string, { name, plan, seats }: NewAccount, world: World): NewAccountRow {
  const limits = { additional_seats: seats ?? 0, seats_limited: seats !== undefined };
  return { id, name: name.trim(), plan, ...limits, created_at: isoNow(world) };
}

/** A UUID of our own making (RFC 9562, 5.8). */
function idOf(idempotencyKey: string): string {
  const bytes = Buffer.from(sha256(`account ${idempotencyKey}`), 'hex').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return stringify(bytes);
}
