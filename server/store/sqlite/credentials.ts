/** Reads and writes tokens and devices. */
import type { ApiKey, Creator, Device } from '../../../shared/schema/auth.ts';
import { stringifyCreator, parseCreator } from './creator.ts';
import { toApiDevice } from '../credentials/device-record.ts';
import { pageOf } from '../page.ts';
import type {
  CredentialPage,
  CredentialQuery,
  CredentialReadSet,
  CredentialWrites,
  DeviceRow,
  LoadedCredentials,
  NewTokenRow,
  TokenRowKey,
  TokenRow,
} from '../credentials/credentials.ts';
import type { Database, ExecuteForAccount } from './database.ts';

/** Inserts a token. If the token exists, the statement writes only its `revoked_at`. */
const upsertTokenSql = `
  INSERT INTO tokens
    (account_id, token_hash, id, kind, name, scopes, device_id, last_four, created_at, created_by, revoked_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?11, ?10)
  ON CONFLICT (account_id, token_hash) DO UPDATE SET revoked_at = ?10`;

export function insertToken(database: Database, token: NewTokenRow): void {
  saveToken((sql, ...values) => database.run(sql, token.account_id, ...values), token);
}

function saveToken(execute: ExecuteForAccount, token: NewTokenRow): void {
  execute(
    upsertTokenSql,
    token.token_hash,
    token.id,
    token.kind,
    token.name,
    JSON.stringify(token.scopes),
    token.device_id,
    token.last_four,
    token.created_at,
    token.revoked_at,
    stringifyCreator(token.created_by),
  );
}

type JsonTextColumns<Row> = Omit<Row, 'scopes' | 'created_by'> & { scopes: string; created_by: string | null };

function parseJsonTextColumns<Row extends JsonTextColumns<object>>(
  row: Row,
): Omit<Row, 'scopes' | 'created_by'> & Pick<TokenRow, 'scopes' | 'created_by'> {
  return { ...row, scopes: JSON.parse(row.scopes), created_by: parseCreator(row.created_by) };
}

export function readToken(database: Database, { accountId, tokenHash }: TokenRowKey): TokenRow | undefined {
  const sql = 'SELECT * FROM tokens WHERE account_id = ? AND token_hash = ?';
  const row = database.get<JsonTextColumns<TokenRow>>(sql, accountId, tokenHash);
  return row && parseJsonTextColumns(row);
}

export function markTokenUsed(database: Database, { accountId, tokenHash }: TokenRowKey, at: string): void {
  database.run(
    'UPDATE tokens SET last_used_at = max(coalesce(last_used_at, ?3), ?3) WHERE account_id = ?1 AND token_hash = ?2',
    accountId,
    tokenHash,
    at,
  );
}

/** Sorts after every UUID, so a list in descending order begins here. */
export const textAfterAllUuids = '~';

export function listKeys(database: Database, accountId: string, query: CredentialQuery): CredentialPage<ApiKey> {
  const rows = database.all<JsonTextColumns<ApiKey>>(
    `SELECT id, name, scopes, last_four, created_at, created_by, last_used_at, revoked_at FROM tokens
      WHERE account_id = ? AND kind = 'key' AND id < ? ORDER BY id DESC LIMIT ?`,
    accountId,
    query.before ?? textAfterAllUuids,
    query.limit + 1,
  );
  return pageOf(rows, query.limit, { position: (row) => row.id, row: (row) => parseJsonTextColumns(row) });
}

export const deviceColumnsSql = `
  id, list_id, name, kind, paired_at, revoked_at, code_hash, silent_event_at,
  (SELECT max(last_used_at) FROM tokens WHERE tokens.account_id = ?1 AND tokens.device_id = devices.id) AS last_seen_at`;

export function listDevices(database: Database, accountId: string, query: CredentialQuery): CredentialPage<Device> {
  const rows = database.all<DeviceRow>(
    `SELECT ${deviceColumnsSql} FROM devices
      WHERE account_id = ?1 AND list_id < ?2 ORDER BY list_id DESC LIMIT ?3`,
    accountId,
    query.before ?? textAfterAllUuids,
    query.limit + 1,
  );
  return pageOf(rows, query.limit, { position: (row) => row.list_id, row: toApiDevice });
}

export function loadCredentials(database: Database, accountId: string, readSet: CredentialReadSet): LoadedCredentials {
  const { deviceIds, keyIds, creators } = readSet;
  const devices = database.all<DeviceRow>(
    `SELECT ${deviceColumnsSql} FROM devices
      WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))`,
    accountId,
    JSON.stringify(deviceIds),
  );
  const tokens = database.all<JsonTextColumns<TokenRow>>(
    `SELECT * FROM tokens
      WHERE account_id = ?1 AND kind = 'key' AND id IN (SELECT value FROM json_each(?2))
     UNION ALL
     SELECT * FROM tokens
      WHERE account_id = ?1 AND revoked_at IS NULL AND device_id IN (SELECT value FROM json_each(?3))`,
    accountId,
    JSON.stringify(keyIds),
    JSON.stringify(deviceIds),
  );
  const counts = database.one<Pick<LoadedCredentials, 'phoneCount' | 'deviceCount' | 'keyCount' | 'adminKeyCount'>>(
    `SELECT (SELECT count(*) FROM devices
              WHERE account_id = ?1 AND kind = 'phone' AND revoked_at IS NULL) AS phoneCount,
            (SELECT count(*) FROM devices
              WHERE account_id = ?1 AND revoked_at IS NULL) AS deviceCount,
            (SELECT count(*) FROM tokens
              WHERE account_id = ?1 AND kind = 'key' AND revoked_at IS NULL) AS keyCount,
            (SELECT count(*) FROM tokens
              WHERE account_id = ?1 AND kind = 'key' AND revoked_at IS NULL
                AND EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = 'admin')) AS adminKeyCount`,
    accountId,
  );
  return {
    devices: devices.map((row) => ({ ...row })),
    tokens: tokens.map(parseJsonTextColumns),
    keysOfCreators: loadKeysOfCreators(database, accountId, creators),
    ...counts,
  };
}

function loadKeysOfCreators(database: Database, accountId: string, creators: Creator[]): TokenRow[] {
  const rows = database.all<JsonTextColumns<TokenRow>>(
    `WITH RECURSIVE created AS (
       SELECT * FROM tokens WHERE account_id = ?1 AND created_by IN (SELECT value FROM json_each(?2))
       UNION
       SELECT token.* FROM created JOIN tokens AS token
        WHERE token.account_id = ?1 AND token.created_by = json_object('kind', 'key', 'id', created.id))
     SELECT * FROM created ORDER BY id`,
    accountId,
    JSON.stringify(creators.map(stringifyCreator)),
  );
  return rows.map(parseJsonTextColumns);
}

export function saveCredentials(
  execute: ExecuteForAccount,
  { devices, tokens, revocations, account }: CredentialWrites,
): void {
  execute('UPDATE accounts SET revocations = ?2 WHERE account_id = ?1', revocations);
  if (account) {
    execute(
      `UPDATE accounts SET name = ?2, plan = ?3, additional_seats = ?4, seats_limited = ?5 WHERE account_id = ?1`,
      account.name,
      account.plan,
      account.additional_seats,
      Number(account.seats_limited),
    );
  }
  for (const device of devices) {
    execute(
      `INSERT INTO devices (account_id, id, list_id, name, kind, paired_at, revoked_at, code_hash, silent_event_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
       ON CONFLICT (account_id, id) DO UPDATE
         SET name = ?4, kind = ?5, paired_at = ?6, revoked_at = ?7, code_hash = ?8, silent_event_at = ?9`,
      device.id,
      device.list_id,
      device.name,
      device.kind,
      device.paired_at,
      device.revoked_at,
      device.code_hash,
      device.silent_event_at,
    );
  }
  for (const token of tokens) saveToken(execute, token);
}
