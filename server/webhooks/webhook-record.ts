import type { Webhook } from '../../shared/schema/integration/webhook.ts';
import { formatEventCursor } from '../events/event-cursor.ts';
import type { WebhookRow } from '../store/webhooks/webhook-row.ts';

/** Turns the row of an endpoint into the record that the API returns. `history` is that of the store (event-cursor.ts). */
export function webhookRecord(row: WebhookRow, history: string): Webhook {
  const { id, url, types, description, created_at, last_success_at, failing_since, next_attempt_at } = row;
  const status = row.is_disabled ? 'disabled' : failing_since === null ? 'active' : 'failing';
  const cursor = formatEventCursor({ version: row.cursor, history });
  return { id, url, types, description, status, created_at, last_success_at, failing_since, next_attempt_at, cursor };
}
