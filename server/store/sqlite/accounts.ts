/** Reads and writes accounts, the owner of each sync client, and the epoch. */
import type { AccountRow, NewAccountRow } from '../account-row.ts';
import type { ClientOwner } from '../store.ts';
import { isoNow, randomUuid, type World } from '../../core/world.ts';
import { nextIdMinAt, raisedNextIdSql } from '../restored-ids.ts';
import { restartPhotoAges } from '../photos/sqlite-photos.ts';
import { inTransaction, type Database } from './database.ts';

type AccountColumns = Omit<AccountRow, 'seats_limited' | 'was_restored'> & {
  seats_limited: number;
  was_restored: number;
};

export function readAccount(database: Database, accountId: string): AccountRow | undefined {
  const row = database.get<AccountColumns>(
    `SELECT account_id AS id, name, plan, additional_seats, seats_limited, created_at,
            version, next_id, live_maps, revocations, bytes, was_restored, keys_made, key_bytes_made
       FROM accounts WHERE account_id = ?`,
    accountId,
  );
  return row && { ...row, seats_limited: row.seats_limited === 1, was_restored: row.was_restored === 1 };
}

export function insertAccount(database: Database, account: NewAccountRow): void {
  database.run(
    `INSERT INTO accounts (account_id, name, plan, additional_seats, seats_limited, created_at)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    account.id,
    account.name,
    account.plan,
    account.additional_seats,
    Number(account.seats_limited),
    account.created_at,
  );
}

export function hasNoAccounts(database: Database): boolean {
  return database.get('SELECT 1 FROM accounts LIMIT 1') === undefined;
}

export function findSoleAccountId(database: Database): string | undefined {
  const [first, second] = database.all<{ id: string }>('SELECT account_id AS id FROM accounts LIMIT 2');
  return second ? undefined : first?.id;
}

export function readClientOwner(database: Database, clientId: string): ClientOwner | undefined {
  const row = database.get<ClientOwner>(
    'SELECT account_id AS accountId, device_id AS deviceId FROM client_owners WHERE client_id = ?',
    clientId,
  );
  return row && { ...row };
}

/** Makes `owner` the owner of a client that has none, and returns the owner. */
export function claimClient(database: Database, clientId: string, owner: ClientOwner): ClientOwner {
  const known = readClientOwner(database, clientId);
  if (known) return known;
  database.run(
    'INSERT INTO client_owners (client_id, account_id, device_id) VALUES (?, ?, ?)',
    clientId,
    owner.accountId,
    owner.deviceId,
  );
  return owner;
}

export function releaseClient(database: Database, clientId: string, { accountId }: ClientOwner): void {
  database.run('DELETE FROM client_owners WHERE client_id = ? AND account_id = ?', clientId, accountId);
}

export function readEpoch(database: Database): string {
  const row = database.get<{ epoch: string }>('SELECT epoch FROM store_info');
  if (!row) throw new Error('The store has no epoch');
  return row.epoch;
}

/**
 * Stores a new epoch, raises each account's next id, and raises each account's version to at least the microseconds
 * since 1970. The versions that the restore undid were lower, since an account writes less than one record a
 * microsecond.
 */
export function beginNewHistory(database: Database, world: World): string {
  const epoch = randomUuid(world);
  database.run('UPDATE store_info SET epoch = ?', epoch);
  const versionMin = Math.floor(world.now() * 1_000);
  database.run(shiftAppliedMutationsSql, versionMin);
  database.run(raiseAccountsSql, versionMin, nextIdMinAt(world.now()));
  restartPhotoAges(database, isoNow(world));
  return epoch;
}

/**
 * Raises the version of each applied mutation by as much as `raiseAccountsSql` raises the account's version. Otherwise
 * the server would take the mutation for a very old one and delete it. Must run before `raiseAccountsSql`.
 */
const shiftAppliedMutationsSql = `
  UPDATE applied_mutations
     SET version = version + (
           SELECT max(account.version + 1, ?1) - account.version FROM accounts AS account
            WHERE account.account_id = applied_mutations.account_id)`;

const raisedNextIdExpression = raisedNextIdSql({ least: 'min', greatest: 'max', nextIdMin: '?2' });
const raiseAccountsSql = `
  UPDATE accounts SET was_restored = 1, version = max(version + 1, ?1), next_id = ${raisedNextIdExpression}`;

type AccountNextId = Pick<AccountRow, 'id' | 'next_id'>;

/** Returns no rows if the table is damaged. */
export function readNextIds(database: Database): AccountNextId[] {
  try {
    return database.all<AccountNextId>('SELECT account_id AS id, next_id FROM accounts');
  } catch {
    return [];
  }
}

/**
 * Raises the next id of each account to its next id in the replaced database. The replaced database gave all lower ids.
 */
export function raiseNextIds(database: Database, replaced: readonly AccountNextId[]): void {
  inTransaction(database, () => {
    for (const { id, next_id } of replaced)
      database.run('UPDATE accounts SET next_id = ?1 WHERE account_id = ?2 AND next_id < ?1', next_id, id);
  });
}
