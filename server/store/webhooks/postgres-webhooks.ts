/** Reads and writes endpoints of webhooks, their deliveries and the leases of buckets. */
import { pageOf } from '../page.ts';
import type { Connections, StatementCall } from '../postgres/connections.ts';
import { runTransaction } from '../postgres/run-transaction.ts';
import { ownAccountRowSql, statement } from '../postgres/statement.ts';
import { isUuid } from '../postgres/types.ts';
import { toDeliveryColumns, parseDelivery, parseWebhook, stateJson, toWebhookColumns } from './webhook-columns.ts';
import type { DeliveryColumns, WebhookColumns } from './webhook-columns.ts';
import type {
  BucketLease,
  DeliveriesQuery,
  DeliveryKey,
  DeliveryPage,
  DeliveryRow,
  DeliverySave,
  WebhookRow,
  WebhookWrites,
} from './webhook-row.ts';

const makeWebhookKeyStatement = statement({ text: 'UPDATE store_info SET webhook_key = $1 WHERE webhook_key IS NULL' });

const selectWebhookKeyStatement = statement({ text: 'SELECT webhook_key FROM store_info' });

export async function readOrStoreWebhookKey(connections: Connections, made: string): Promise<string> {
  const read = async () => (await connections.query<{ webhook_key: string | null }>(selectWebhookKeyStatement))[0];
  const before = (await read())?.webhook_key;
  if (before) return before;
  await connections.query(makeWebhookKeyStatement, [made]);
  return (await read())?.webhook_key ?? made;
}

const selectWebhooksStatement = statement({
  text: 'SELECT id, cursor, revision, settings, state FROM webhooks WHERE account_id = $1 ORDER BY id DESC',
});

/** Locks the endpoints' rows too, since `saveDelivery` writes them without the account's lock. */
export const lockWebhooksStatement = statement({
  text: 'SELECT id, cursor, revision, settings, state FROM webhooks WHERE account_id = $1 ORDER BY id DESC FOR UPDATE',
});

export async function readWebhooks(connections: Connections, accountId: string): Promise<WebhookRow[]> {
  return (await connections.query<WebhookColumns>(selectWebhooksStatement, [accountId])).map(parseWebhook);
}

const selectWebhookStatement = statement({
  text: 'SELECT id, cursor, revision, settings, state FROM webhooks WHERE account_id = $1 AND id = $2',
});

export async function readWebhook(
  connections: Connections,
  accountId: string,
  webhookId: string,
): Promise<WebhookRow | undefined> {
  const [row] = await connections.query<WebhookColumns>(selectWebhookStatement, [accountId, webhookId]);
  return row && parseWebhook(row);
}

const upsertWebhooksStatement = statement({
  text: `
    INSERT INTO webhooks (account_id, id, cursor, revision, settings, state)
    SELECT account.account_id, id, cursor, 0, settings, state
      FROM ${ownAccountRowSql},
           json_to_recordset($2::json) AS written (id uuid, cursor bigint, settings text, state text)
    ON CONFLICT (account_id, id) DO UPDATE
       SET cursor = excluded.cursor, revision = webhooks.revision + 1,
           settings = excluded.settings, state = excluded.state`,
});

const deleteWebhooksStatement = statement({
  text: 'DELETE FROM webhooks WHERE account_id = $1 AND id = ANY ($2::uuid[])',
});

const deleteDeliveriesStatement = statement({
  text: 'DELETE FROM webhook_deliveries WHERE account_id = $1 AND webhook_id = ANY ($2::uuid[])',
});

export function callsToSaveWebhooks(
  accountId: string,
  { put, removed, deliveries = [] }: WebhookWrites,
): StatementCall[] {
  const rows = JSON.stringify(put.map(toWebhookColumns));
  return [
    ...(put.length > 0 ? [{ statement: upsertWebhooksStatement, values: [accountId, rows] }] : []),
    ...(removed.length > 0
      ? [deleteWebhooksStatement, deleteDeliveriesStatement].map((one) => ({
          statement: one,
          values: [accountId, removed],
        }))
      : []),
    ...deliveries.map((delivery) => callToSaveDelivery(accountId, delivery)),
  ];
}

const updateWebhookStatement = statement({
  text: `
    UPDATE webhooks SET cursor = $4, revision = revision + 1, state = $5
     WHERE account_id = $1 AND id = $2 AND revision = $3 RETURNING 1`,
});

const upsertDeliveryStatement = statement({
  text: `
    INSERT INTO webhook_deliveries (account_id, webhook_id, version, outcome, at, record)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (account_id, webhook_id, version)
    DO UPDATE SET outcome = excluded.outcome, at = excluded.at, record = excluded.record`,
});

export async function saveDelivery(
  connections: Connections,
  accountId: string,
  { webhookId, revision, state, delivery }: DeliverySave,
): Promise<boolean> {
  const values = [accountId, webhookId, revision, state.cursor, stateJson(state)];
  const first = [{ statement: updateWebhookStatement, values }];
  const isSaved = await runTransaction(connections, first, ([updated]) => {
    if (updated?.rows.length !== 1) return undefined;
    return { calls: delivery ? [callToSaveDelivery(accountId, delivery)] : [], result: true };
  });
  return isSaved ?? false;
}

export async function putDelivery(connections: Connections, accountId: string, delivery: DeliveryRow): Promise<void> {
  const { statement: upsert, values } = callToSaveDelivery(accountId, delivery);
  await connections.query(upsert, values);
}

function callToSaveDelivery(accountId: string, delivery: DeliveryRow): StatementCall {
  const { webhook_id, version, outcome, at, record } = toDeliveryColumns(delivery);
  return { statement: upsertDeliveryStatement, values: [accountId, webhook_id, version, outcome, at, record] };
}

const selectDeliveriesStatement = statement({
  text: `
    SELECT webhook_id, version, outcome, at, record FROM webhook_deliveries
     WHERE account_id = $1 AND webhook_id = $2 AND version < $3 AND ($4::text IS NULL OR outcome = $4)
     ORDER BY version DESC LIMIT $5`,
});

export async function listDeliveries(
  connections: Connections,
  accountId: string,
  { webhookId, before = Number.MAX_SAFE_INTEGER, outcome, limit }: DeliveriesQuery,
): Promise<DeliveryPage> {
  if (!isUuid(webhookId)) return { rows: [], next: null };
  const values = [accountId, webhookId, before, outcome ?? null, limit + 1];
  const rows = await connections.query<DeliveryColumns>(selectDeliveriesStatement, values);
  return pageOf(rows, limit, { position: ({ version }) => version, row: parseDelivery });
}

const selectDeliveryStatement = statement({
  text: `
    SELECT webhook_id, version, outcome, at, record FROM webhook_deliveries
     WHERE account_id = $1 AND webhook_id = $2 AND version = $3`,
});

export async function readDelivery(
  connections: Connections,
  accountId: string,
  { webhookId, version }: DeliveryKey,
): Promise<DeliveryRow | undefined> {
  const [row] = await connections.query<DeliveryColumns>(selectDeliveryStatement, [accountId, webhookId, version]);
  return row && parseDelivery(row);
}

const deleteOldDeliveriesStatement = statement({
  text: `
    DELETE FROM webhook_deliveries
     WHERE account_id = $1
       AND (webhook_id, version) IN (
             SELECT webhook_id, version FROM webhook_deliveries WHERE account_id = $1 AND at < $2 LIMIT $3
           )
    RETURNING 1`,
});

/** Deletes up to `rowsMax` deliveries whose last try was before an instant. */
export async function sweepDeliveries(
  connections: Connections,
  accountId: string,
  { before, rowsMax }: { before: string; rowsMax: number },
): Promise<number> {
  return (await connections.query(deleteOldDeliveriesStatement, [accountId, before, rowsMax])).length;
}

const insertWebhookAccountStatement = statement({
  text: 'INSERT INTO webhook_accounts (bucket, account_id) VALUES ($1, $2) ON CONFLICT (bucket, account_id) DO NOTHING',
});

export async function insertWebhookAccount(connections: Connections, bucket: number, accountId: string): Promise<void> {
  await connections.query(insertWebhookAccountStatement, [bucket, accountId]);
}

const deleteWebhookAccountStatement = statement({
  text: 'DELETE FROM webhook_accounts WHERE bucket = $1 AND account_id = $2 RETURNING 1',
});

export async function deleteWebhookAccount(
  connections: Connections,
  bucket: number,
  accountId: string,
): Promise<boolean> {
  return (await connections.query(deleteWebhookAccountStatement, [bucket, accountId])).length > 0;
}

const selectWebhookBucketsStatement = statement({ text: 'SELECT DISTINCT bucket FROM webhook_accounts' });

export async function listWebhookBuckets(connections: Connections): Promise<number[]> {
  const rows = await connections.query<{ bucket: number }>(selectWebhookBucketsStatement);
  return rows.map(({ bucket }) => bucket);
}

const selectWebhookAccountsStatement = statement({
  text: 'SELECT account_id AS id FROM webhook_accounts WHERE bucket = $1 ORDER BY account_id',
});

export async function listWebhookAccounts(connections: Connections, bucket: number): Promise<string[]> {
  const rows = await connections.query<{ id: string }>(selectWebhookAccountsStatement, [bucket]);
  return rows.map(({ id }) => id);
}

const leaseBucketStatement = statement({
  text: `
    INSERT INTO webhook_buckets (bucket, holder, leased_until) VALUES ($1, $2, $4::timestamptz)
    ON CONFLICT (bucket) DO UPDATE SET holder = excluded.holder, leased_until = excluded.leased_until
     WHERE webhook_buckets.holder = excluded.holder OR webhook_buckets.leased_until < $3::timestamptz
        OR webhook_buckets.leased_until > $5::timestamptz
    RETURNING 1`,
});

export async function leaseBucket(
  connections: Connections,
  { bucket, holder, now, until, endsAtMax }: BucketLease,
): Promise<boolean> {
  return (await connections.query(leaseBucketStatement, [bucket, holder, now, until, endsAtMax])).length > 0;
}
