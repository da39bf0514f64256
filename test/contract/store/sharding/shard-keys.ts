/** The column by which each table would be sharded. */
import { parse } from 'libpg-query';
import { raiseAccountsSql, shiftAppliedMutationsSql } from '../../../../server/store/postgres/accounts.ts';
import { restartPhotoAgesSql } from '../../../../server/store/photos/postgres-photos.ts';
import { countDevicesSql, selectSilentDevicesSql } from '../../../../server/store/postgres/device-status.ts';
import { migrations } from '../../../../server/store/postgres/migrate.ts';
import { placements } from '../../../../server/store/postgres/placements.ts';

/** Statements that run on every shard or on none, each with the reason. */
export const statementsOnEveryShard: Readonly<Record<string, string>> = {
  'SELECT 1 FROM accounts LIMIT 1': 'whether there is any account: asked once, when a server starts',
  'SELECT account_id AS id FROM accounts LIMIT 2':
    'whether there is one account alone: asked once, when a server starts',
  'SELECT account_id AS id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT $2':
    'goes through all accounts once a day, for a sweep of each',
  'SELECT customer_id, account_id FROM billing_customers WHERE customer_id > $1 ORDER BY customer_id LIMIT $2':
    'goes through all customers once an hour, for the sweep of subscriptions',
  [raiseAccountsSql]: 'ends a restore, each shard for itself',
  [restartPhotoAgesSql]: 'ends a restore, each shard for itself',
  [shiftAppliedMutationsSql]: 'goes with the new versions of the accounts',
  "UPDATE tokens SET revoked_at = $1 WHERE kind = 'device' AND revoked_at IS NULL":
    'ends a restore where the operator wants all devices paired anew, each shard for itself',
  'UPDATE devices SET revoked_at = $1 WHERE revoked_at IS NULL': 'goes with the tokens of devices',
  "SELECT account_id, id, scopes, created_by, revoked_at FROM tokens WHERE kind = 'key' ORDER BY account_id, id":
    'finds the keys that those devices made, each account for itself',
  [selectSilentDevicesSql]: 'finds the devices whose silence has no event yet, once an hour, each shard for itself',
  [countDevicesSql]: 'counts the devices for the metrics, at most once a minute, each shard for itself',
  'DELETE FROM pairing_codes WHERE expires_at < $1': 'sweeps what expired, now and then, each shard for itself',
  'DELETE FROM pairing_failures WHERE expires_at < $1': 'sweeps what expired, now and then, each shard for itself',
  'DELETE FROM rate_limits WHERE expire < $1': 'sweeps what expired, once a minute, each shard for itself',
  'SELECT DISTINCT bucket FROM webhook_accounts': 'which buckets have accounts: asked by each process every 10 s',
  'CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL)': 'before any migration',
  "SELECT 1 FROM pg_extension WHERE extname = 'citus'": "reads the node's own catalog",
  'SELECT groupid AS id FROM pg_dist_local_group': "reads the node's own catalog",
  'SELECT logicalrelid::text AS name FROM pg_dist_partition': "reads the node's own catalog",
  // PostgreSQL notifies each process, not each shard.
  "SELECT pg_notify('gemba_commits', payload) FROM unnest($1::text[]) AS payload": 'pokes the other processes',
};

/** Reads the tables from the migrations, with the shard key that the driver gives them; null for a reference table. */
export async function readShardKeys(): Promise<Map<string, string | null>> {
  const trees = await Promise.all(migrations.flatMap(({ statements }) => statements.map((text) => parse(text))));
  const made = trees.flatMap(({ stmts = [] }) =>
    stmts.flatMap(({ stmt }) => (stmt && 'CreateStmt' in stmt ? [stmt.CreateStmt.relation?.relname ?? ''] : [])),
  );
  return new Map([...made, 'migrations'].map((table) => [table, placements[table]?.key ?? null]));
}
