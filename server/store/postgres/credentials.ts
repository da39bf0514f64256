/** Reads and writes tokens and devices. */
import { assert } from '../../../shared/domain/assert.ts';
import { planKeyRevocation, type RevokedKeyCounts } from '../credentials/key-revocation.ts';
import type { ApiKey, Device } from '../../../shared/schema/auth.ts';
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
import type { AccountFields } from '../account-row.ts';
import type { StatementCall, Connections } from './connections.ts';
import { ownAccountRowSql, statement } from './statement.ts';
import { isUuid } from './types.ts';

/** Inserts tokens. If a token exists, the statement writes only its `revoked_at`. */
const upsertTokensStatement = statement({
  text: `
    INSERT INTO tokens (account_id, token_hash, id, kind, name, scopes, device_id, last_four, created_at, created_by,
      revoked_at)
    SELECT account.account_id, token_hash, id, kind, name, scopes, device_id, last_four, created_at, created_by, revoked_at
      FROM ${ownAccountRowSql}, jsonb_to_recordset($2::jsonb) AS written (
        token_hash text, id uuid, kind text, name text, scopes jsonb, device_id uuid, last_four text,
        created_at timestamptz, created_by jsonb, revoked_at timestamptz)
    ON CONFLICT (account_id, token_hash) DO UPDATE SET revoked_at = excluded.revoked_at`,
});

/** Inserts the first token of a new account. The account has no row in `accounts` at this time. */
const insertTokenStatement = statement({
  text: `
    INSERT INTO tokens (account_id, token_hash, id, kind, name, scopes, device_id, last_four, created_at, created_by,
      revoked_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT (account_id, token_hash) DO UPDATE SET revoked_at = excluded.revoked_at`,
});

export async function insertToken(connections: Connections, token: NewTokenRow): Promise<void> {
  await connections.query(insertTokenStatement, [
    token.account_id,
    token.token_hash,
    token.id,
    token.kind,
    token.name,
    JSON.stringify(token.scopes),
    token.device_id,
    token.last_four,
    token.created_at,
    token.created_by && JSON.stringify(token.created_by),
    token.revoked_at,
  ]);
}

const selectTokenStatement = statement({
  name: 'select_token',
  text: 'SELECT * FROM tokens WHERE account_id = $1 AND token_hash = $2',
});

export async function readToken(
  connections: Connections,
  { accountId, tokenHash }: TokenRowKey,
): Promise<TokenRow | undefined> {
  if (!isUuid(accountId)) return undefined;
  const [row] = await connections.query<TokenRow>(selectTokenStatement, [accountId, tokenHash]);
  return row;
}

const updateTokenUseStatement = statement({
  name: 'mark_token_used',
  text: `
    UPDATE tokens SET last_used_at = greatest(last_used_at, $3::timestamptz)
     WHERE account_id = $1 AND token_hash = $2`,
});

export async function markTokenUsed(
  connections: Connections,
  { accountId, tokenHash }: TokenRowKey,
  at: string,
): Promise<void> {
  await connections.query(updateTokenUseStatement, [accountId, tokenHash, at]);
}

const selectKeysStatement = statement({
  text: `
    SELECT id, name, scopes, last_four, created_at, created_by, last_used_at, revoked_at FROM tokens
     WHERE account_id = $1 AND kind = 'key' AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
});

export async function listKeys(
  connections: Connections,
  accountId: string,
  { before, limit }: CredentialQuery,
): Promise<CredentialPage<ApiKey>> {
  const rows = await connections.query<ApiKey>(selectKeysStatement, [accountId, before, limit + 1]);
  return pageOf(rows, limit, { position: (row) => row.id, row: (row) => row });
}

export const deviceColumnsSql = `
  id, list_id, name, kind, paired_at, revoked_at, code_hash, silent_event_at,
  (SELECT max(last_used_at) FROM tokens WHERE tokens.account_id = $1 AND tokens.device_id = devices.id) AS last_seen_at`;

const selectDevicesStatement = statement({
  text: `
    SELECT ${deviceColumnsSql} FROM devices
     WHERE account_id = $1 AND ($2::uuid IS NULL OR list_id < $2) ORDER BY list_id DESC LIMIT $3`,
});

export async function listDevices(
  connections: Connections,
  accountId: string,
  { before, limit }: CredentialQuery,
): Promise<CredentialPage<Device>> {
  const rows = await connections.query<DeviceRow>(selectDevicesStatement, [accountId, before, limit + 1]);
  return pageOf(rows, limit, { position: (row) => row.list_id, row: toApiDevice });
}

/** Returns the statements that load credentials, by name. `credentialsFrom` reads the results by the same names. */
export function callsToLoadCredentials(accountId: string, readSet: CredentialReadSet): Record<string, StatementCall> {
  const { deviceIds, keyIds, creators } = readSet;
  const devices = deviceIds.filter(isUuid);
  return {
    devices: { statement: loadDevicesStatement, values: [accountId, devices] },
    tokens: { statement: loadTokensStatement, values: [accountId, keyIds.filter(isUuid), devices] },
    keysOfCreators: {
      statement: loadKeysOfCreatorsStatement,
      values: [accountId, creators.map((creator) => JSON.stringify(creator))],
    },
    credentialCounts: { statement: countCredentialsStatement, values: [accountId] },
  };
}

/** Returns the credentials from the results of `callsToLoadCredentials`. */
export function credentialsFrom(rows: <Row>(name: string) => Row[]): LoadedCredentials {
  const [counts] =
    rows<Pick<LoadedCredentials, 'phoneCount' | 'deviceCount' | 'keyCount' | 'adminKeyCount'>>('credentialCounts');
  assert(counts, 'a count has one row');
  return {
    devices: rows<DeviceRow>('devices'),
    tokens: rows<TokenRow>('tokens'),
    keysOfCreators: rows<TokenRow>('keysOfCreators'),
    ...counts,
  };
}

const loadDevicesStatement = statement({
  text: `
    SELECT ${deviceColumnsSql} FROM devices
     WHERE account_id = $1 AND id = ANY ($2::uuid[])`,
});

const loadTokensStatement = statement({
  text: `
    SELECT * FROM tokens WHERE account_id = $1 AND kind = 'key' AND id = ANY ($2::uuid[])
    UNION ALL
    SELECT * FROM tokens WHERE account_id = $1 AND revoked_at IS NULL AND device_id = ANY ($3::uuid[])`,
});

const loadKeysOfCreatorsStatement = statement({
  text: `
    WITH RECURSIVE created AS (
      SELECT * FROM tokens WHERE account_id = $1 AND created_by = ANY ($2::jsonb[])
      UNION
      SELECT token.* FROM created CROSS JOIN tokens AS token
       WHERE token.account_id = $1 AND token.created_by = jsonb_build_object('kind', 'key', 'id', created.id))
    SELECT * FROM created ORDER BY id`,
});

const countCredentialsStatement = statement({
  text: `
    SELECT (SELECT count(*) FROM devices
             WHERE account_id = $1 AND kind = 'phone' AND revoked_at IS NULL) AS "phoneCount",
           (SELECT count(*) FROM devices
             WHERE account_id = $1 AND revoked_at IS NULL) AS "deviceCount",
           (SELECT count(*) FROM tokens
             WHERE account_id = $1 AND kind = 'key' AND revoked_at IS NULL) AS "keyCount",
           (SELECT count(*) FROM tokens
             WHERE account_id = $1 AND kind = 'key' AND revoked_at IS NULL AND scopes ? 'admin') AS "adminKeyCount"`,
});

export function callsToSaveCredentials(
  accountId: string,
  { devices, tokens, revocations, account }: CredentialWrites,
): StatementCall[] {
  return [
    { statement: updateRevocationsStatement, values: [accountId, revocations] },
    ...(account ? [callToUpdateAccountFields(accountId, account)] : []),
    ...(devices.length > 0
      ? [{ statement: upsertDevicesStatement, values: [accountId, JSON.stringify(devices)] }]
      : []),
    ...(tokens.length > 0 ? [{ statement: upsertTokensStatement, values: [accountId, JSON.stringify(tokens)] }] : []),
  ];
}

const updateRevocationsStatement = statement({ text: 'UPDATE accounts SET revocations = $2 WHERE account_id = $1' });

function callToUpdateAccountFields(accountId: string, account: AccountFields): StatementCall {
  const { name, plan, additional_seats, seats_limited } = account;
  return { statement: updateAccountFieldsStatement, values: [accountId, name, plan, additional_seats, seats_limited] };
}

const updateAccountFieldsStatement = statement({
  text: 'UPDATE accounts SET name = $2, plan = $3, additional_seats = $4, seats_limited = $5 WHERE account_id = $1',
});

const upsertDevicesStatement = statement({
  text: `
    INSERT INTO devices (account_id, id, list_id, name, kind, paired_at, revoked_at, code_hash, silent_event_at)
    SELECT account.account_id, id, list_id, name, kind, paired_at, revoked_at, code_hash, silent_event_at
      FROM ${ownAccountRowSql}, jsonb_to_recordset($2::jsonb) AS written (
        id uuid, list_id uuid, name text, kind text, paired_at timestamptz, revoked_at timestamptz, code_hash text,
        silent_event_at timestamptz)
    ON CONFLICT (account_id, id) DO UPDATE
       SET name = excluded.name, kind = excluded.kind, paired_at = excluded.paired_at,
           revoked_at = excluded.revoked_at, code_hash = excluded.code_hash,
           silent_event_at = excluded.silent_event_at`,
});

const revokeDeviceTokensStatement = statement({
  text: "UPDATE tokens SET revoked_at = $1 WHERE kind = 'device' AND revoked_at IS NULL",
});

const revokeDevicesStatement = statement({ text: 'UPDATE devices SET revoked_at = $1 WHERE revoked_at IS NULL' });

const selectAllKeysStatement = statement({
  text: "SELECT account_id, id, scopes, created_by, revoked_at FROM tokens WHERE kind = 'key' ORDER BY account_id, id",
});

const revokeKeyStatement = statement({
  text: "UPDATE tokens SET revoked_at = $3 WHERE account_id = $1 AND kind = 'key' AND id = $2",
});

export async function revokeAllDevicesAndTheirKeys(connections: Connections, now: string): Promise<RevokedKeyCounts> {
  await connections.query(revokeDeviceTokensStatement, [now]);
  await connections.query(revokeDevicesStatement, [now]);
  const { revoked, kept } = planKeyRevocation(await connections.query<TokenRow>(selectAllKeysStatement));
  for (const { account_id, id } of revoked) await connections.query(revokeKeyStatement, [account_id, id, now]);
  return { revoked: revoked.length, kept: kept.length };
}
