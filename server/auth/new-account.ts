/** Creates accounts, each with its first API key. */
import { stringify } from 'uuid';
import type { NewAccount, NewAccountResult } from '../../shared/schema/account.ts';
import type { NewAccountRow } from '../store/account-row.ts';
import type { Store } from '../store/store.ts';
import { runCredentialTransaction } from './credential-transaction.ts';
import { toApiAccount } from './api-account.ts';
import { successReply, uncachedHeaders, type RestReply } from '../core/reply.ts';
import { sha256 } from '../core/hash.ts';
import type { IdempotencyKey } from '../mutate/idempotent-unit.ts';
import { operatorActor } from '../core/caller.ts';
import { allScopes } from './scopes.ts';
import { newToken } from './token.ts';
import { isoNow, timeOrderedUuid, type World } from '../core/world.ts';

interface AccountServices {
  store: Store;
  world: World;
}

const firstKeyName = 'First key';

/** Returns the account and its first API key. The store has only the key's hash, so the key cannot be read again. */
export async function createAccount(services: AccountServices, fields: NewAccount): Promise<NewAccountResult> {
  const { store, world } = services;
  const row = makeAccountRow(timeOrderedUuid(world), fields, world);
  const key = newToken({ accountId: row.id, name: firstKeyName, scopes: allScopes, deviceId: null }, world);
  // The key is stored before the account, so that a crash between the two writes leaves no account without a key.
  await store.createToken(key.row);
  await store.createAccount(row);
  return { account: toApiAccount(row), api_key: key.token };
}

/**
 * Creates one account for each idempotency key, from which the account's id is derived. A repeated request gets the
 * stored reply to the first request. If a crash interrupted the first request, the repeated request creates the rest.
 */
export async function createAccountOnce(
  services: AccountServices,
  fields: NewAccount,
  idempotency: IdempotencyKey,
): Promise<RestReply> {
  const { store, world } = services;
  const accountId = accountIdFrom(idempotency.key);
  await store.createAccount(makeAccountRow(accountId, fields, world));
  const key = newToken({ accountId, name: firstKeyName, scopes: allScopes, deviceId: null }, world);
  return runCredentialTransaction(
    services,
    { accountId, tokenHash: null, actor: operatorActor },
    {
      readSet: {},
      idempotency,
      decide(credentials) {
        // An admin key shows that an earlier request made the account. The stored reply to that request has expired.
        if (credentials.hasAdminKey()) return accountExistsRefusal(idempotency.key);
        credentials.addKey(key.row);
        const body: NewAccountResult = { account: toApiAccount(credentials.account), api_key: key.token };
        return successReply(201, body, uncachedHeaders);
      },
    },
  );
}

function accountExistsRefusal(key: string): RestReply {
  const detail = `The idempotency key ${key} made an account long ago.`;
  return { ok: false, error: { code: 'idempotency_key_mismatch', detail } };
}

function makeAccountRow(id: string, { name, plan, seats }: NewAccount, world: World): NewAccountRow {
  const limits = { additional_seats: seats ?? 0, seats_limited: seats !== undefined };
  return { id, name: name.trim(), plan, ...limits, created_at: isoNow(world) };
}

/** Derives a UUID of version 8 (RFC 9562, 5.8) from the idempotency key. */
function accountIdFrom(idempotencyKey: string): string {
  const bytes = Buffer.from(sha256(`account ${idempotencyKey}`), 'hex').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return stringify(bytes);
}
