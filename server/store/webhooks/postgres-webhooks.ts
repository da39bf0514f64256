/** Reads and writes endpoints of webhooks, their deliveries and the leases of buckets. */
import { pageOf } from '../page.ts';
import type { Connections, StatementCall } from '../postgres/connections.ts';
import { runTransaction } from '../postgres/run-transaction.ts';
import { ownAccountRow, statement } from '../postgres/statement.ts';
import { isUuid } from '../postgres/types.ts';
import { deliveryColumns, parseDelivery, parseWebhook, webhookColumns } from './webhook-columns.ts';
import type { DeliveryColumns, WebhookColumns } from './webhook-columns.ts';
import type {
  BucketLease,
  DeliveriesQuery,
  DeliveryPage,
  DeliverySave,
  WebhookRow,
  WebhookWrites,
} from './webhook-row.ts';

const makeWebhookKeyStatement = statement({ text: 'UPDATE store_info SET webhook_key = $1 WHERE webhook_key IS NULL' });

const selectWebhookKeyStatement = statement({ text: 'SELECT webhook_key FROM store_info' });

export async function webhookKey(connections: Connections, made: string): Promise<string> {
  await connections.query(makeWebhookKeyStatement, [made]);
  const [row] = await connections.query<{ webhook_key: string }>(selectWebhookKeyStatement);
  return row?.webhook_key ?? made;
}

export const selectWebhooksStatement = statement({
  text: 'SELECT id, cursor, tries, record FROM webhooks WHERE account_id = $1 ORDER BY id DESC',
});

export async function readWebhooks(connections: Connections, accountId: string): Promise<WebhookRow[]> {
  return (await connections.query<WebhookColumns>(selectWebhooksStatement, [accountId])).map(parseWebhook);
}

const upsertWebhooksStatement = statement({
  text: `
    INSERT INTO webhooks (account_id, id, cursor, tries, record)
    SELECT account.account_id, id, cursor, tries, record
      FROM ${ownAccountRow}, json_to_recordset($2::json) AS written (id uuid, cursor bigint, tries integer, record text)
    ON CONFLICT (account_id, id) DO UPDATE
       SET cursor = excluded.cursor, tries = excluded.tries, record = excluded.record`,
});

const deleteWebhooksStatement = statement({
  text: 'DELETE FROM webhooks WHERE account_id = $1 AND id = ANY ($2::uuid[])',
});

const deleteDeliveriesStatement = statement({
  text: 'DELETE FROM webhook_deliveries WHERE account_id = $1 AND webhook_id = ANY ($2::uuid[])',
});

export function callsToSaveWebhooks(accountId: string, { put, removed }: WebhookWrites): StatementCall[] {
  const rows = JSON.stringify(put.map(webhookColumns));
  return [
    ...(put.length > 0 ? [{ statement: upsertWebhooksStatement, values: [accountId, rows] }] : []),
    ...(removed.length > 0
      ? [deleteWebhooksStatement, deleteDeliveriesStatement].map((one) => ({
          statement: one,
          values: [accountId, removed],
        }))
      : []),
  ];
}

const updateWebhookStatement = statement({
  text: `
    UPDATE webhooks SET cursor = $5, tries = $6, record = (record::jsonb || $7::jsonb)::text
     WHERE account_id = $1 AND id = $2 AND cursor = $3 AND tries = $4 RETURNING 1`,
});

const upsertDeliveryStatement = statement({
  text: `
    INSERT INTO webhook_deliveries (account_id, webhook_id, version, at, record) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (account_id, webhook_id, version) DO UPDATE SET at = excluded.at, record = excluded.record`,
});

export async function saveDelivery(
  connections: Connections,
  accountId: string,
  { webhookId, before, state, delivery }: DeliverySave,
): Promise<boolean> {
  const { cursor, tries, ...rest } = state;
  const values = [accountId, webhookId, before.cursor, before.tries, cursor, tries, JSON.stringify(rest)];
  const first = [{ statement: updateWebhookStatement, values }];
  const isSaved = await runTransaction(connections, first, ([updated]) => {
    if (updated?.rows.length !== 1) return undefined;
    return { calls: delivery ? [callToSaveDelivery(accountId, delivery)] : [], result: true };
  });
  return isSaved ?? false;
}

function callToSaveDelivery(accountId: string, delivery: NonNullable<DeliverySave['delivery']>): StatementCall {
  const { webhook_id, version, at, record } = deliveryColumns(delivery);
  return { statement: upsertDeliveryStatement, values: [accountId, webhook_id, version, at, record] };
}

const selectDeliveriesStatement = statement({
  text: `
    SELECT webhook_id, version, at, record FROM webhook_deliveries
     WHERE account_id = $1 AND webhook_id = $2 AND version < $3 ORDER BY version DESC LIMIT $4`,
});

export async function listDeliveries(
  connections: Connections,
  accountId: string,
  { webhookId, before = Number.MAX_SAFE_INTEGER, limit }: DeliveriesQuery,
): Promise<DeliveryPage> {
  if (!isUuid(webhookId)) return { rows: [], next: null };
  const values = [accountId, webhookId, before, limit + 1];
  const rows = await connections.query<DeliveryColumns>(selectDeliveriesStatement, values);
  return pageOf(rows, limit, { position: ({ version }) => version, row: parseDelivery });
}

const insertWebhookAccountStatement = statement({
  text: 'INSERT INTO webhook_accounts (bucket, account_id) VALUES ($1, $2) ON CONFLICT (bucket, account_id) DO NOTHING',
});

export async function insertWebhookAccount(connections: Connections, bucket: number, accountId: string): Promise<void> {
  await connections.query(insertWebhookAccountStatement, [bucket, accountId]);
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
    RETURNING 1`,
});

export async function leaseBucket(
  connections: Connections,
  { bucket, holder, now, until }: BucketLease,
): Promise<boolean> {
  return (await connections.query(leaseBucketStatement, [bucket, holder, now, until])).length > 0;
}
