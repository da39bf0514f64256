/** Copies revocations from a replaced database to the restored one, so that a restore undoes no revocation. */
import { planKeyRevocation, type ApiKeyRow, type RevokedKeyCounts } from '../credentials/key-revocation.ts';
import { parseCreator } from './creator.ts';
import type { Database } from './database.ts';

interface Revocations {
  tokens: { account_id: string; token_hash: string; revoked_at: string }[];
  devices: { account_id: string; id: string; revoked_at: string }[];
}

export function readRevocations(database: Database): Revocations {
  return {
    tokens: readRevokedRows(database, 'tokens', 'account_id, token_hash, revoked_at'),
    devices: readRevokedRows(database, 'devices', 'account_id, id, revoked_at'),
  };
}

/** Returns no rows if the table is damaged or, in a database of an early version, missing. */
function readRevokedRows<Row>(database: Database, table: string, columns: string): Row[] {
  try {
    return database.all<Row>(`SELECT ${columns} FROM ${table} WHERE revoked_at IS NOT NULL`);
  } catch {
    return [];
  }
}

/** Writes the revocations. Tokens and devices that are already revoked keep their `revoked_at`. */
export function writeRevocations(database: Database, { tokens, devices }: Revocations): void {
  for (const { account_id, token_hash, revoked_at } of tokens) {
    const sql = 'UPDATE tokens SET revoked_at = ? WHERE account_id = ? AND token_hash = ? AND revoked_at IS NULL';
    database.run(sql, revoked_at, account_id, token_hash);
  }
  const hasDevices = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'devices'") !== undefined;
  for (const { account_id, id, revoked_at } of hasDevices ? devices : []) {
    const sql = 'UPDATE devices SET revoked_at = ? WHERE account_id = ? AND id = ? AND revoked_at IS NULL';
    database.run(sql, revoked_at, account_id, id);
  }
}

export function revokeAllDevicesAndTheirKeys(database: Database, now: string): RevokedKeyCounts {
  database.run("UPDATE tokens SET revoked_at = ? WHERE kind = 'device' AND revoked_at IS NULL", now);
  database.run('UPDATE devices SET revoked_at = ? WHERE revoked_at IS NULL', now);
  const { revoked, kept } = planKeyRevocation(readAllKeys(database));
  for (const { account_id, id } of revoked) {
    const sql = "UPDATE tokens SET revoked_at = ? WHERE account_id = ? AND kind = 'key' AND id = ?";
    database.run(sql, now, account_id, id);
  }
  return { revoked: revoked.length, kept: kept.length };
}

interface KeyColumns {
  account_id: string;
  id: string;
  scopes: string;
  created_by: string | null;
  revoked_at: string | null;
}

function readAllKeys(database: Database): ApiKeyRow[] {
  const sql =
    "SELECT account_id, id, scopes, created_by, revoked_at FROM tokens WHERE kind = 'key' ORDER BY account_id, id";
  return database.all<KeyColumns>(sql).map(({ scopes, created_by, ...row }) => ({
    ...row,
    scopes: JSON.parse(scopes),
    created_by: parseCreator(created_by),
  }));
}
