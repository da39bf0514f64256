/** The column by which each table would be sharded. */
import { parse } from 'libpg-query';
import { countDevicesSql } from '../../../../server/store/postgres/device-status.ts';
import { migrations } from '../../../../server/store/postgres/migrate.ts';

/** Tables without `account_id` as their shard key, each with the reason. */
export const tablesWithOtherKeys: Readonly<Record<string, { key: string | null; reason: string }>> = {
  client_owners: { key: 'client_id', reason: 'it decides which account a client belongs to, so it is asked before' },
  pairing_codes: { key: 'code_hash', reason: 'whoever pairs knows the code and not yet the account' },
  pairing_failures: { key: 'subject', reason: 'who guesses a code has no account' },
  rate_limits: { key: 'key', reason: "a token's hash or an address, counted before the token is looked up" },
  store_info: { key: null, reason: 'one row for the whole database: its epoch' },
  migrations: { key: null, reason: 'of the whole database, written once a migration' },
};

/** Statements that run on every shard or on none, each with the reason. */
export const statementsOnEveryShard: Readonly<Record<string, string>> = {
  'SELECT 1 FROM accounts LIMIT 1': 'whether there is any account: asked once, when a server starts',
  'SELECT account_id AS id FROM accounts LIMIT 2':
    'whether there is one account alone: asked once, when a server starts',
  'SELECT account_id AS id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT $2':
    'goes through all accounts once a day, for a sweep of each',
  'UPDATE accounts SET version = greatest(version + 1, $1::bigint)': 'ends a restore, each shard for itself',
  "UPDATE tokens SET revoked_at = $1 WHERE kind = 'device' AND revoked_at IS NULL":
    'ends a restore where the operator wants all devices paired anew, each shard for itself',
  'UPDATE devices SET revoked_at = $1 WHERE revoked_at IS NULL': 'goes with the tokens of devices',
  "SELECT account_id, id, scopes, created_by, revoked_at FROM tokens WHERE kind = 'key' ORDER BY account_id, id":
    'finds the keys that those devices made, each account for itself',
  [countDevicesSql]: 'counts the devices for the metrics, at most once a minute, each shard for itself',
  'DELETE FROM pairing_codes WHERE expires_at < $1': 'sweeps what expired, now and then, each shard for itself',
  'DELETE FROM pairing_failures WHERE expires_at < $1': 'sweeps what expired, now and then, each shard for itself',
  'DELETE FROM rate_limits WHERE expire < $1': 'sweeps what expired, once a minute, each shard for itself',
  'CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL)': 'before any migration',
  // PostgreSQL notifies each process, not each shard.
  "SELECT pg_notify('gemba_commits', payload) FROM unnest($1::text[]) AS payload": 'pokes the other processes',
};

/** Reads the tables from the migrations: a table belongs to an account unless it is listed above. */
export async function readShardKeys(): Promise<Map<string, string | null>> {
  const trees = await Promise.all(migrations.map(({ sql }) => parse(sql)));
  const made = trees.flatMap(({ stmts = [] }) =>
    stmts.flatMap(({ stmt }) => (stmt && 'CreateStmt' in stmt ? [stmt.CreateStmt.relation?.relname ?? ''] : [])),
  );
  return new Map(
    [...made, 'migrations'].map((table) => [
      table,
      table in tablesWithOtherKeys ? tablesWithOtherKeys[table]!.key : 'account_id',
    ]),
  );
}
