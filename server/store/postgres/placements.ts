/**
 * The column of each table by which Citus distributes its rows. All rows of an account are on one node, so each
 * statement and each transaction of an account reaches only that node.
 */
import type { TableSize } from '../store.ts';
import type { Connections } from './connections.ts';
import { statement } from './statement.ts';

/** Reference tables are copied whole to each node. The shards of other tables are chosen by the column `key`. */
export type Placement = { key: null } | { key: string; colocateWith: 'accounts' | 'none' };

const shardedWithAccount: Placement = { key: 'account_id', colocateWith: 'accounts' };
const onEveryNode: Placement = { key: null };
const shardedBy = (key: string): Placement => ({ key, colocateWith: 'none' });

/** `accounts` comes first, since Citus places the rows of other tables on the same node as the row of their account. */
export const placements: Readonly<Record<string, Placement>> = {
  accounts: shardedBy('account_id'),
  tokens: shardedWithAccount,
  devices: shardedWithAccount,
  device_status: shardedWithAccount,
  maps: shardedWithAccount,
  runs: shardedWithAccount,
  stage_ids: shardedWithAccount,
  sync_clients: shardedWithAccount,
  push_answers: shardedWithAccount,
  rejections: shardedWithAccount,
  applied_mutations: shardedWithAccount,
  idempotency_keys: shardedWithAccount,
  photos: shardedWithAccount,
  photo_references: shardedWithAccount,
  account_events: shardedWithAccount,
  webhooks: shardedWithAccount,
  webhook_deliveries: shardedWithAccount,
  billing: shardedWithAccount,
  // A client's owner is read before the account is known.
  client_owners: shardedBy('client_id'),
  // A device that pairs knows the code, but not yet the account.
  pairing_codes: shardedBy('code_hash'),
  // The subject is an address or a part of a code, not an account.
  pairing_failures: shardedBy('subject'),
  // The key is a token's hash or an address. A request is counted before its token is looked up.
  rate_limits: shardedBy('key'),
  // A process reads the accounts of one bucket at a time.
  webhook_accounts: shardedBy('bucket'),
  webhook_buckets: shardedBy('bucket'),
  // An event of the payment service names its customer, but not the account.
  billing_customers: shardedBy('customer_id'),
  // A sealed request names its key, not its account.
  server_keys: onEveryNode,
  store_info: onEveryNode,
  migrations: onEveryNode,
  online_steps: onEveryNode,
};

/** A node of a Citus cluster; undefined for PostgreSQL without the extension. */
export interface CitusNode {
  /** Only the coordinator can change the schema. */
  isCoordinator: boolean;
}

type Query = (call: { text: string; values?: unknown[] }) => Promise<{ rows: unknown[] }>;

export async function readCitusNode(query: Query): Promise<CitusNode | undefined> {
  const { rows } = await query(selectExtensionStatement);
  if (rows.length === 0) return undefined;
  const groups = (await query(selectLocalGroupStatement)).rows as { id: number }[];
  return { isCoordinator: groups.every(({ id }) => id === coordinatorGroupId) };
}

/** Returns the reason for which a server cannot start on this node; undefined if it can. */
export function nodeRefusalText(node: CitusNode | undefined, { migrationsPending }: { migrationsPending: number }) {
  if (!node || node.isCoordinator || migrationsPending === 0) return undefined;
  return (
    'DATABASE_URL names a worker of a Citus cluster, and the tables of this version are not there yet: ' +
    'start a server on the coordinator first'
  );
}

/** Distributes the tables that are not distributed yet, with their rows. */
export async function distributeTables(query: Query): Promise<void> {
  const known = (await query(selectDistributedStatement)).rows as { name: string }[];
  const names = new Set(known.map(({ name }) => name));
  for (const call of callsToDistribute(Object.keys(placements).filter((table) => !names.has(table)))) await query(call);
}

export function callsToDistribute(tables: readonly string[]): { text: string; values: string[] }[] {
  return tables.map((table) => {
    const placement = placements[table];
    if (!placement) throw new Error(`The table ${table} has no placement`);
    return placement.key === null
      ? { ...createReferenceTableStatement, values: [table] }
      : { ...createDistributedTableStatement, values: [table, placement.key, placement.colocateWith] };
  });
}

/** Measures each table with its indexes. Citus asks each node. */
export async function readTableBytes(
  connections: Connections,
  { isCitus }: { isCitus: boolean },
): Promise<TableSize[]> {
  const measureStatement = isCitus ? measureDistributedTablesStatement : measureTablesStatement;
  return connections.query<TableSize>(measureStatement, [Object.keys(placements)]);
}

const measureTablesStatement = statement({
  text: 'SELECT name AS table, pg_total_relation_size(name::regclass) AS bytes FROM unnest($1::text[]) AS name',
});

const measureDistributedTablesStatement = statement({
  text: 'SELECT name AS table, citus_total_relation_size(name::regclass) AS bytes FROM unnest($1::text[]) AS name',
});

const coordinatorGroupId = 0;

const selectExtensionStatement = statement({ text: "SELECT 1 FROM pg_extension WHERE extname = 'citus'" });

const selectLocalGroupStatement = statement({ text: 'SELECT groupid AS id FROM pg_dist_local_group' });

const selectDistributedStatement = statement({ text: 'SELECT logicalrelid::text AS name FROM pg_dist_partition' });

const createReferenceTableStatement = statement({ text: 'SELECT create_reference_table($1::regclass)' });

const createDistributedTableStatement = statement({
  text: 'SELECT create_distributed_table($1::regclass, $2, colocate_with => $3)',
});

/** These statements fail on PostgreSQL without the extension Citus. */
export const citusStatements = [
  selectLocalGroupStatement,
  selectDistributedStatement,
  createReferenceTableStatement,
  createDistributedTableStatement,
  measureDistributedTablesStatement,
];
