/** Reads and writes accounts, the owner of each sync client, and the epoch. */
import { assert } from '../../../shared/domain/assert.ts';
import type { AccountRow, NewAccountRow } from '../account-row.ts';
import type { ClientOwner } from '../store.ts';
import type { Connections } from './connections.ts';
import { nextIdMinAt, raisedNextIdSql } from '../restored-ids.ts';
import { restartPhotoAges } from '../photos/postgres-photos.ts';
import { statement } from './statement.ts';
import { isUuid } from './types.ts';

const accountColumnsSql = `
  account_id AS id, name, plan, additional_seats, seats_limited, created_at, version, next_id, live_maps, revocations,
  bytes, was_restored, keys_made, key_bytes_made`;

/**
 * Locks the account's row, so that an account's transactions run one after another. This is an UPDATE because on Citus
 * the move of a shard waits for a transaction that wrote, but not for the lock of `SELECT ... FOR UPDATE`.
 */
export const lockAccountStatement = statement({
  name: 'lock_account',
  text: `UPDATE accounts SET version = version WHERE account_id = $1 RETURNING ${accountColumnsSql}`,
});

const selectAccountStatement = statement({
  name: 'select_account',
  text: `SELECT ${accountColumnsSql} FROM accounts WHERE account_id = $1`,
});

export async function readAccount(connections: Connections, accountId: string): Promise<AccountRow | undefined> {
  if (!isUuid(accountId)) return undefined;
  const [row] = await connections.query<AccountRow>(selectAccountStatement, [accountId]);
  return row;
}

const insertAccountStatement = statement({
  text: `
    INSERT INTO accounts (account_id, name, plan, additional_seats, seats_limited, created_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account_id) DO NOTHING`,
});

export async function insertAccount(connections: Connections, account: NewAccountRow): Promise<void> {
  const { id, name, plan, additional_seats, seats_limited, created_at } = account;
  await connections.query(insertAccountStatement, [id, name, plan, additional_seats, seats_limited, created_at]);
}

const selectAnyAccountStatement = statement({ text: 'SELECT 1 FROM accounts LIMIT 1' });

export async function hasNoAccounts(connections: Connections): Promise<boolean> {
  const rows = await connections.query(selectAnyAccountStatement);
  return rows.length === 0;
}

const selectTwoAccountsStatement = statement({ text: 'SELECT account_id AS id FROM accounts LIMIT 2' });

export async function findSoleAccountId(connections: Connections): Promise<string | undefined> {
  const [first, second] = await connections.query<{ id: string }>(selectTwoAccountsStatement);
  return second ? undefined : first?.id;
}

const selectClientOwnerStatement = statement({
  name: 'select_client_owner',
  text: 'SELECT account_id AS "accountId", device_id AS "deviceId" FROM client_owners WHERE client_id = $1',
});

const insertClientOwnerStatement = statement({
  text: 'INSERT INTO client_owners (client_id, account_id, device_id) VALUES ($1, $2, $3) ON CONFLICT (client_id) DO NOTHING',
});

export async function readClientOwner(connections: Connections, clientId: string): Promise<ClientOwner | undefined> {
  const [row] = await connections.query<ClientOwner>(selectClientOwnerStatement, [clientId]);
  return row;
}

/**
 * Makes `owner` the owner of a client that has none, and returns the owner. The client and the account may be in
 * different shards, so no transaction covers both.
 */
export async function claimClient(
  connections: Connections,
  clientId: string,
  owner: ClientOwner,
): Promise<ClientOwner> {
  await connections.query(insertClientOwnerStatement, [clientId, owner.accountId, owner.deviceId]);
  const claimed = await readClientOwner(connections, clientId);
  if (!claimed) throw new Error(`The claim on client ${clientId} is gone`);
  return claimed;
}

const deleteClientOwnerStatement = statement({
  text: 'DELETE FROM client_owners WHERE client_id = $1 AND account_id = $2',
});

export async function releaseClient(
  connections: Connections,
  clientId: string,
  { accountId }: ClientOwner,
): Promise<void> {
  await connections.query(deleteClientOwnerStatement, [clientId, accountId]);
}

export const selectEpochStatement = statement({ text: 'SELECT epoch FROM store_info' });

export async function readEpoch(connections: Connections): Promise<string> {
  const [row] = await connections.query<{ epoch: string }>(selectEpochStatement);
  if (!row) throw new Error('The store has no epoch');
  return row.epoch;
}

const updateEpochStatement = statement({ text: 'UPDATE store_info SET epoch = $1' });

const selectClockMicrosStatement = statement({
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros',
});

const raisedNextIdExpression = raisedNextIdSql({ least: 'least', greatest: 'greatest', nextIdMin: '$2::bigint' });

export const raiseAccountsSql = `
  UPDATE accounts SET was_restored = true, version = greatest(version + 1, $1::bigint), next_id = ${raisedNextIdExpression}`;

const raiseAccountsStatement = statement({ text: raiseAccountsSql });

/**
 * Raises the version of each applied mutation by as much as `raiseAccountsSql` raises the account's version. Otherwise
 * the server would take the mutation for a very old one and delete it. Must run before `raiseAccountsSql`.
 */
export const shiftAppliedMutationsSql = `
  UPDATE applied_mutations
     SET version = applied_mutations.version + greatest(account.version + 1, $1::bigint) - account.version
    FROM accounts AS account WHERE account.account_id = applied_mutations.account_id`;

const shiftAppliedMutationsStatement = statement({ text: shiftAppliedMutationsSql });

/**
 * Stores the new epoch, raises each account's next id, and raises each account's version to at least the microseconds
 * since 1970. The versions that the restore undid were lower, since an account writes less than one record a
 * microsecond.
 */
export async function beginNewHistory(
  connections: Connections,
  { epoch, now }: { epoch: string; now: string },
): Promise<string> {
  // Change the epoch last, so that a reader of the new epoch also reads the new versions.
  const [clock] = await connections.query<{ micros: number }>(selectClockMicrosStatement);
  assert(clock, 'a clock has a time');
  await connections.query(shiftAppliedMutationsStatement, [clock.micros]);
  await connections.query(raiseAccountsStatement, [clock.micros, nextIdMinAt(clock.micros / 1_000)]);
  await restartPhotoAges(connections, now);
  await connections.query(updateEpochStatement, [epoch]);
  return epoch;
}
