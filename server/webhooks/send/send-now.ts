/** Sends one message at once, for a person who waits for the response. */
import type { EventActor } from '../../../shared/schema/integration/account-event.ts';
import type { WebhookTry } from '../../../shared/schema/integration/webhook.ts';
import { isoNow, randomUuid } from '../../core/world.ts';
import { successReply, type RestReply } from '../../core/reply.ts';
import { versionOfEvent } from '../../events/event-cursor.ts';
import { eventsAfter } from '../../events/list-events.ts';
import type { DeliveryRow, WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { isSuccess, stateAfterAttempt } from '../next-state.ts';
import { findNextEvent } from '../next-event.ts';
import type { WebhookResponse } from './post-webhook.ts';
import { readEventMessage, sendMessage, type SenderServices } from './send-event.ts';

type SendNowServices = Pick<SenderServices, 'store' | 'world' | 'secrets' | 'allowed'>;

/** Returns a signal that never aborts, since each message has its own time limit. */
const neverAbortingSignal = (): AbortSignal => new AbortController().signal;
const toWebhookTry = ({ status, body, error, durationMs }: WebhookResponse): WebhookTry => ({
  delivered: isSuccess(status),
  status,
  duration_ms: durationMs,
  body,
  error,
});

export async function sendTest(
  services: SendNowServices,
  { accountId, actor, webhook }: { accountId: string; actor: EventActor; webhook: WebhookRow },
): Promise<WebhookTry> {
  const id = `test_${randomUuid(services.world)}`;
  const type = 'webhook.test';
  const timestamp = isoNow(services.world);
  const data = { id, type, created_at: timestamp, subject: { kind: 'webhook', id: webhook.id }, actor };
  const body = JSON.stringify({ type, timestamp, data });
  return toWebhookTry(
    await sendMessage({ ...services, signal: neverAbortingSignal() }, { accountId, webhook, id, body }),
  );
}

/**
 * Sends an event from the endpoint's list of deliveries again, out of order. If the endpoint was to get this event next
 * and the delivery succeeds, the cursor moves past the event.
 */
export async function redeliver(
  services: SendNowServices,
  { accountId, webhook, eventId }: { accountId: string; webhook: WebhookRow; eventId: string },
): Promise<RestReply> {
  const { store, world } = services;
  const version = versionOfEvent(accountId, eventId);
  const before =
    version === undefined ? undefined : await store.delivery(accountId, { webhookId: webhook.id, version });
  if (version === undefined || !before) return eventNotFoundRefusal;
  const { rows } = await store.events(accountId, { after: version - 1, rowsMax: 1, bytesMax: 1 });
  const found = eventsAfter(version - 1, rows).find(({ event }) => event.version === version);
  if (!found) return eventNotFoundRefusal;
  const message = await readEventMessage(store, accountId, { event: found.event, createdAt: found.created_at });
  const response = await sendMessage(
    { ...services, signal: neverAbortingSignal() },
    { accountId, webhook, ...message },
  );
  const result = toWebhookTry(response);
  const { status, duration_ms, body, error } = result;
  // The deliverer may have attempted the event meanwhile. A failure must not overwrite a success.
  const last = (await store.delivery(accountId, { webhookId: webhook.id, version })) ?? before;
  // If the endpoint was deleted in the meantime, its deliveries were deleted with it.
  if (!(await store.webhook(accountId, webhook.id))) return successReply(200, result);
  if (last.outcome === 'delivered' && !result.delivered) return successReply(200, result);
  const outcome = result.delivered ? ('delivered' as const) : last.outcome;
  const tried = { outcome, tries: last.tries + 1, at: isoNow(world), status, duration_ms, body, error };
  const delivery = { ...last, ...tried };
  if (!(await advanceIfNextEvent(services, accountId, { webhook, response, delivery })))
    await store.putDelivery(accountId, delivery);
  return successReply(200, result);
}

interface RedeliveredEvent {
  webhook: WebhookRow;
  response: WebhookResponse;
  delivery: DeliveryRow;
}

/**
 * Moves the endpoint's cursor past the event if the event was the endpoint's next one and its delivery succeeded.
 * Returns true if the cursor moved.
 */
async function advanceIfNextEvent(
  { store, world }: SendNowServices,
  accountId: string,
  { webhook: { id }, response, delivery }: RedeliveredEvent,
): Promise<boolean> {
  const webhook = await store.webhook(accountId, id);
  const next = webhook && isSuccess(response.status) ? await findNextEvent(store, accountId, webhook) : undefined;
  if (!webhook || next?.state !== 'found' || next.event.version !== delivery.version) return false;
  const { version } = delivery;
  const now = world.now();
  const { state } = stateAfterAttempt(webhook, { version, response, now, createdAt: now, random: 0 });
  return store.saveDelivery(accountId, { webhookId: id, revision: webhook.revision, state, delivery });
}

const eventNotFoundRefusal: RestReply = {
  ok: false,
  error: {
    code: 'event_not_found',
    detail: 'The endpoint has no delivery of such an event, or the event was removed.',
  },
};
