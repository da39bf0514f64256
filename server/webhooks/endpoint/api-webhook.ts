/** Converts the rows of an endpoint and its deliveries into the bodies that the API returns. */
import type { Webhook, WebhookDelivery } from '../../../shared/schema/integration/webhook.ts';
import type { World } from '../../core/world.ts';
import { eventIdOf, formatEventCursor, epochPrefixOf } from '../../events/event-cursor.ts';
import type { Store } from '../../store/store.ts';
import type { DeliveryRow, WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { findNextEvent } from '../next-event.ts';

export interface EpochAndLag {
  /** The start of the store's epoch, which each cursor contains (event-cursor.ts). */
  epochPrefix: string;
  /** The age of the oldest event that the endpoint has not received yet; 0 if there is none. */
  lagSecs: number;
}

export async function readEpochAndLag(
  { store, world }: { store: Store; world: World },
  accountId: string,
  webhook: Pick<WebhookRow, 'cursor' | 'types'>,
): Promise<EpochAndLag> {
  const next = await findNextEvent(store, accountId, webhook);
  const ageMs = next.state === 'found' ? world.now() - Date.parse(next.createdAt) : 0;
  return { epochPrefix: epochPrefixOf(await store.epoch()), lagSecs: Math.max(0, Math.floor(ageMs / 1000)) };
}

export function toApiWebhook(row: WebhookRow, { epochPrefix, lagSecs: lag_secs }: EpochAndLag): Webhook {
  const { id, url, types, description, disabled_reason, failing_since } = row;
  const status = disabled_reason !== null ? 'disabled' : failing_since === null ? 'active' : 'failing';
  const { created_at, last_success_at, next_attempt_at } = row;
  const times = { created_at, last_success_at, failing_since, next_attempt_at };
  const cursor = formatEventCursor({ version: row.cursor, epochPrefix });
  return { id, url, types, description, status, disabled_reason, ...times, cursor, lag_secs };
}

export function toApiWebhookDelivery(accountId: string, row: DeliveryRow): WebhookDelivery {
  const { version, type, outcome, tries, at, status, duration_ms, body, error } = row;
  const event = { id: eventIdOf(accountId, version), type };
  return { event, outcome, attempts: tries, attempted_at: at, status, duration_ms, body, error };
}
