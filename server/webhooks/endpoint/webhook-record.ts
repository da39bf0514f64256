/** Turns the rows of an endpoint and its deliveries into the records that the API returns. */
import type { Webhook, WebhookDelivery } from '../../../shared/schema/integration/webhook.ts';
import { eventId, formatEventCursor } from '../../events/event-cursor.ts';
import { eventsAfter } from '../../events/list-events.ts';
import type { Store } from '../../store/store.ts';
import type { DeliveryRow, WebhookRow } from '../../store/webhooks/webhook-row.ts';

interface RecordContext {
  /** The store's history, as cursors name it (event-cursor.ts). */
  history: string;
  lagSecs: number;
}

export function webhookRecord(row: WebhookRow, { history, lagSecs: lag_secs }: RecordContext): Webhook {
  const { id, url, types, description, created_at, last_success_at, failing_since, next_attempt_at } = row;
  const status = row.is_disabled ? 'disabled' : failing_since === null ? 'active' : 'failing';
  const cursor = formatEventCursor({ version: row.cursor, history });
  const times = { created_at, last_success_at, failing_since, next_attempt_at };
  return { id, url, types, description, status, ...times, cursor, lag_secs };
}

/** Returns how old the oldest event is that the endpoint has still to get; 0 if there is none. */
export async function readLagSecs(
  store: Store,
  accountId: string,
  { cursor, now }: { cursor: number; now: number },
): Promise<number> {
  const { rows } = await store.events(accountId, { after: cursor, rowsMax: 1, bytesMax: 1 });
  const [next] = eventsAfter(cursor, rows);
  return next ? Math.max(0, Math.floor((now - Date.parse(next.created_at)) / 1000)) : 0;
}

export function deliveryRecord(accountId: string, row: DeliveryRow): WebhookDelivery {
  const { version, type, outcome, tries, at, status, duration_ms, answer } = row;
  const event = { id: eventId(accountId, version), type };
  return { event, outcome, attempts: tries, attempted_at: at, status, duration_ms, answer };
}
