/** Converts endpoints and deliveries to and from their stored form: what conditions name has a column, the rest is JSON text. */
import type { DeliveryRow, WebhookRow } from './webhook-row.ts';

export interface WebhookColumns extends Pick<WebhookRow, 'id' | 'cursor' | 'tries'> {
  record: string;
}

export function webhookColumns({ id, cursor, tries, ...record }: WebhookRow): WebhookColumns {
  return { id, cursor, tries, record: JSON.stringify(record) };
}

export function parseWebhook({ id, cursor, tries, record }: WebhookColumns): WebhookRow {
  return { id, cursor, tries, ...JSON.parse(record) };
}

export interface DeliveryColumns extends Pick<DeliveryRow, 'webhook_id' | 'version' | 'outcome' | 'at'> {
  record: string;
}

export function deliveryColumns({ webhook_id, version, outcome, at, ...record }: DeliveryRow): DeliveryColumns {
  return { webhook_id, version, outcome, at, record: JSON.stringify(record) };
}

export function parseDelivery({ webhook_id, version, outcome, at, record }: DeliveryColumns): DeliveryRow {
  return { webhook_id, version, outcome, at, ...JSON.parse(record) };
}
