/**
 * Converts endpoints and deliveries to and from rows. A field that SQL conditions use has a column of its own; the
 * others are JSON text.
 */
import type { DeliveryRow, DeliveryState, WebhookRow, WebhookSettings } from './webhook-row.ts';

export interface WebhookColumns extends Pick<WebhookRow, 'id' | 'cursor' | 'revision'> {
  settings: string;
  state: string;
}

export function toWebhookColumns(row: WebhookRow): WebhookColumns {
  const { id, cursor, revision, url, types, description, created_at, secret_generation, old_secrets } = row;
  const settings: WebhookSettings = { url, types, description, created_at, secret_generation, old_secrets };
  return { id, cursor, revision, settings: JSON.stringify(settings), state: stateJson(row) };
}

/** Returns the JSON text of the state without the cursor, which has a column of its own. */
export function stateJson(state: DeliveryState): string {
  const { disabled_reason, tries, next_attempt_at, failing_since, failing_from, last_success_at } = state;
  const kept: Omit<DeliveryState, 'cursor'> = {
    disabled_reason,
    tries,
    next_attempt_at,
    failing_since,
    failing_from,
    last_success_at,
  };
  return JSON.stringify(kept);
}

export function parseWebhook({ id, cursor, revision, settings, state }: WebhookColumns): WebhookRow {
  return { id, cursor, revision, ...JSON.parse(settings), ...JSON.parse(state) };
}

export interface DeliveryColumns extends Pick<DeliveryRow, 'webhook_id' | 'version' | 'outcome' | 'at'> {
  record: string;
}

export function toDeliveryColumns({ webhook_id, version, outcome, at, ...record }: DeliveryRow): DeliveryColumns {
  return { webhook_id, version, outcome, at, record: JSON.stringify(record) };
}

export function parseDelivery({ webhook_id, version, outcome, at, record }: DeliveryColumns): DeliveryRow {
  return { webhook_id, version, outcome, at, ...JSON.parse(record) };
}
