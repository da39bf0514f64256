/** Reads and writes endpoints of webhooks, their deliveries and the leases of buckets. */
import { pageOf } from '../page.ts';
import type { Database, ExecuteForAccount } from '../sqlite/database.ts';
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

/** Returns the stored key. Stores `made` first if there is no key. */
export function readOrStoreWebhookKey(database: Database, made: string): string {
  database.run('UPDATE store_info SET webhook_key = ? WHERE webhook_key IS NULL', made);
  return database.get<{ webhook_key: string }>('SELECT webhook_key FROM store_info')?.webhook_key ?? made;
}

export function readWebhooks(database: Database, accountId: string): WebhookRow[] {
  const sql = 'SELECT id, cursor, revision, settings, state FROM webhooks WHERE account_id = ? ORDER BY id DESC';
  return database.all<WebhookColumns>(sql, accountId).map(parseWebhook);
}

export function readWebhook(database: Database, accountId: string, webhookId: string): WebhookRow | undefined {
  const sql = 'SELECT id, cursor, revision, settings, state FROM webhooks WHERE account_id = ? AND id = ?';
  const row = database.get<WebhookColumns>(sql, accountId, webhookId);
  return row && parseWebhook(row);
}

export function saveWebhooks(execute: ExecuteForAccount, { put, removed, deliveries = [] }: WebhookWrites): void {
  for (const { id, cursor, settings, state } of put.map(toWebhookColumns)) {
    execute(
      `INSERT INTO webhooks (account_id, id, cursor, revision, settings, state) VALUES (?1, ?2, ?3, 0, ?4, ?5)
       ON CONFLICT (account_id, id)
       DO UPDATE SET cursor = ?3, revision = revision + 1, settings = ?4, state = ?5`,
      id,
      cursor,
      settings,
      state,
    );
  }
  for (const id of removed) {
    execute('DELETE FROM webhooks WHERE account_id = ? AND id = ?', id);
    execute('DELETE FROM webhook_deliveries WHERE account_id = ? AND webhook_id = ?', id);
  }
  for (const { webhook_id, version, outcome, at, record } of deliveries.map(toDeliveryColumns)) {
    execute(upsertDeliverySql, webhook_id, version, outcome, at, record);
  }
}

const updateWebhookSql = `
  UPDATE webhooks SET cursor = ?4, revision = revision + 1, state = ?5
   WHERE account_id = ?1 AND id = ?2 AND revision = ?3 RETURNING 1`;

const upsertDeliverySql = `
  INSERT INTO webhook_deliveries (account_id, webhook_id, version, outcome, at, record) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT (account_id, webhook_id, version) DO UPDATE SET outcome = ?4, at = ?5, record = ?6`;

export function saveDelivery(
  database: Database,
  accountId: string,
  { webhookId, revision, state, delivery }: DeliverySave,
): boolean {
  const values = [accountId, webhookId, revision, state.cursor, stateJson(state)];
  if (database.all(updateWebhookSql, ...values).length === 0) return false;
  if (delivery) putDelivery(database, accountId, delivery);
  return true;
}

export function putDelivery(database: Database, accountId: string, delivery: DeliveryRow): void {
  const { webhook_id, version, outcome, at, record } = toDeliveryColumns(delivery);
  database.run(upsertDeliverySql, accountId, webhook_id, version, outcome, at, record);
}

export function listDeliveries(
  database: Database,
  accountId: string,
  { webhookId, before = Number.MAX_SAFE_INTEGER, outcome, limit }: DeliveriesQuery,
): DeliveryPage {
  const rows = database.all<DeliveryColumns>(
    `SELECT webhook_id, version, outcome, at, record FROM webhook_deliveries
      WHERE account_id = ?1 AND webhook_id = ?2 AND version < ?3 AND (?4 IS NULL OR outcome = ?4)
      ORDER BY version DESC LIMIT ?5`,
    accountId,
    webhookId,
    before,
    outcome ?? null,
    limit + 1,
  );
  return pageOf(rows, limit, { position: ({ version }) => version, row: parseDelivery });
}

export function readDelivery(
  database: Database,
  accountId: string,
  { webhookId, version }: DeliveryKey,
): DeliveryRow | undefined {
  const sql = `SELECT webhook_id, version, outcome, at, record FROM webhook_deliveries
                WHERE account_id = ? AND webhook_id = ? AND version = ?`;
  const row = database.get<DeliveryColumns>(sql, accountId, webhookId, version);
  return row && parseDelivery(row);
}

/** Deletes up to `rowsMax` deliveries whose last try was before an instant. */
export function sweepDeliveries(
  database: Database,
  accountId: string,
  { before, rowsMax }: { before: string; rowsMax: number },
): number {
  const sql = `
    DELETE FROM webhook_deliveries
     WHERE account_id = ?1
       AND (webhook_id, version) IN (
             SELECT webhook_id, version FROM webhook_deliveries WHERE account_id = ?1 AND at < ?2 LIMIT ?3
           )
    RETURNING 1`;
  return database.all(sql, accountId, before, rowsMax).length;
}

export function insertWebhookAccount(database: Database, bucket: number, accountId: string): void {
  database.run(
    'INSERT INTO webhook_accounts (bucket, account_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    bucket,
    accountId,
  );
}

export function deleteWebhookAccount(database: Database, bucket: number, accountId: string): boolean {
  const sql = 'DELETE FROM webhook_accounts WHERE bucket = ? AND account_id = ? RETURNING 1';
  return database.all(sql, bucket, accountId).length > 0;
}

export function listWebhookBuckets(database: Database): number[] {
  return database.all<{ bucket: number }>('SELECT DISTINCT bucket FROM webhook_accounts').map(({ bucket }) => bucket);
}

export function listWebhookAccounts(database: Database, bucket: number): string[] {
  const sql = 'SELECT account_id AS id FROM webhook_accounts WHERE bucket = ? ORDER BY account_id';
  return database.all<{ id: string }>(sql, bucket).map(({ id }) => id);
}

const leaseBucketSql = `
  INSERT INTO webhook_buckets (bucket, holder, leased_until) VALUES (?1, ?2, ?4)
  ON CONFLICT (bucket) DO UPDATE SET holder = ?2, leased_until = ?4 WHERE holder = ?2 OR leased_until < ?3 OR leased_until > ?5
  RETURNING 1`;

export function leaseBucket(database: Database, { bucket, holder, now, until, endsAtMax }: BucketLease): boolean {
  return database.all(leaseBucketSql, bucket, holder, now, until, endsAtMax).length > 0;
}
