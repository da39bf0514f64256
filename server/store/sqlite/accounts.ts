/** Accounts, tokens and the owners of sync clients. */
import type { Account, AccountPatch } from '../../../shared/schema/account.ts';
import type { AccountRow, ClientOwner, NewAccountRow, TokenRow } from '../store.ts';
import type { Database } from './database.ts';

export function readAccount(database: Database, accountId: string): AccountRow | undefined {
  const row = database.get<AccountRow>(
    `SELECT account_id AS id, name, plan, additional_seats, created_at, version, next_id, live_maps
       FROM accounts WHERE account_id = ?`,
    accountId,
  );
  return row && { ...row };
}

export function insertAccount(database: Database, account: NewAccountRow): void {
  database.run(
    'INSERT INTO accounts (account_id, name, plan, additional_seats, created_at) VALUES (?, ?, ?, ?, ?)',
    account.id,
    account.name,
    account.plan,
    account.additional_seats,
    account.created_at,
  );
}

export function changeAccount(database: Database, accountId: string, patch: AccountPatch): Account | undefined {
  const row = database.get<Account>(
    `UPDATE accounts
        SET name = coalesce(?, name), plan = coalesce(?, plan), additional_seats = coalesce(?, additional_seats)
      WHERE account_id = ?
      RETURNING account_id AS id, name, plan, additional_seats, created_at`,
    patch.name ?? null,
    patch.plan ?? null,
    patch.additional_seats ?? null,
    accountId,
  );
  return row && { ...row };
}

export function isEmpty(database: Database): boolean {
  return database.get('SELECT 1 FROM accounts LIMIT 1') === undefined;
}

export function insertToken(database: Database, token: TokenRow): void {
  database.run(
    `INSERT INTO tokens
       (account_id, token_hash, id, kind, name, scopes, device_id, last_four, created_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    token.account_id,
    token.token_hash,
    token.id,
    token.kind,
    token.name,
    JSON.stringify(token.scopes),
    token.device_id,
    token.last_four,
    token.created_at,
    token.revoked_at,
  );
}

export function readToken(database: Database, key: { accountId: string; tokenHash: string }): TokenRow | undefined {
  const row = database.get<Omit<TokenRow, 'scopes'> & { scopes: string }>(
    'SELECT * FROM tokens WHERE account_id = ? AND token_hash = ?',
    key.accountId,
    key.tokenHash,
  );
  return row && { ...row, scopes: JSON.parse(row.scopes) };
}

export function readClientOwner(database: Database, clientId: string): ClientOwner | undefined {
  const row = database.get<ClientOwner>(
    'SELECT account_id AS accountId, device_id AS deviceId FROM client_owners WHERE client_id = ?',
    clientId,
  );
  return row && { ...row };
}

/** The first who claims it stays its owner. */
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

export function readEpoch(database: Database): string {
  const row = database.get<{ epoch: string }>('SELECT epoch FROM store_info');
  if (!row) throw new Error('The store has no epoch');
  return row.epoch;
}

export function writeEpoch(database: Database, epoch: string): string {
  database.run('UPDATE store_info SET epoch = ?', epoch);
  return epoch;
}
