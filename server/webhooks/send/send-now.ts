/** Sends one message at once, for a person who waits for what comes back. */
import type { EventActor } from '../../../shared/schema/integration/account-event.ts';
import type { WebhookTry } from '../../../shared/schema/integration/webhook.ts';
import { isoNow, randomUuid } from '../../core/world.ts';
import { successReply, type RestReply } from '../../core/reply.ts';
import { versionOfEvent } from '../../events/event-cursor.ts';
import { eventsAfter } from '../../events/list-events.ts';
import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { isSuccess } from '../next-state.ts';
import type { WebhookAnswer } from './post-webhook.ts';
import { sendEvent, sendMessage, type SenderParts } from './send-event.ts';

type NowParts = Pick<SenderParts, 'store' | 'world' | 'secrets' | 'allowed'>;

/** The answer has a time limit of its own. */
const neverStopped = (): AbortSignal => new AbortController().signal;
/** Bounds how often a delivery is saved that the deliverer's own writes overtake. */
const savesMax = 5;

const tryOf = ({ status, text, durationMs }: WebhookAnswer): WebhookTry => ({
  delivered: isSuccess(status),
  status,
  duration_ms: durationMs,
  answer: text,
});

export async function sendTest(
  parts: NowParts,
  { accountId, actor, webhook }: { accountId: string; actor: EventActor; webhook: WebhookRow },
): Promise<WebhookTry> {
  const id = `test_${randomUuid(parts.world)}`;
  const type = 'webhook.test';
  const timestamp = isoNow(parts.world);
  const data = { id, type, created_at: timestamp, subject: { kind: 'webhook', id: webhook.id }, actor };
  const body = JSON.stringify({ type, timestamp, data });
  return tryOf(await sendMessage({ ...parts, signal: neverStopped() }, { accountId, webhook, id, body }));
}

/** Sends an event that the endpoint's deliveries have. Leaves the endpoint's cursor and its next try as they are. */
export async function redeliver(
  parts: NowParts,
  { accountId, webhook, eventId }: { accountId: string; webhook: WebhookRow; eventId: string },
): Promise<RestReply> {
  const { store, world } = parts;
  const version = versionOfEvent(accountId, eventId);
  const before =
    version === undefined ? undefined : await store.delivery(accountId, { webhookId: webhook.id, version });
  if (version === undefined || !before) return eventNotFoundRefusal;
  const { rows } = await store.events(accountId, { after: version - 1, rowsMax: 1, bytesMax: 1 });
  const found = eventsAfter(version - 1, rows).find(({ event }) => event.version === version);
  if (!found) return eventNotFoundRefusal;
  const toSend = { accountId, webhook, event: found.event, createdAt: found.created_at };
  const answer = await sendEvent({ ...parts, signal: neverStopped(), onTried: () => {} }, toSend);
  const result = tryOf(answer);
  const tries = before.tries + 1;
  const { status, duration_ms, answer: text } = result;
  const outcome = result.delivered ? ('delivered' as const) : before.outcome;
  const delivery = { ...before, outcome, tries, at: isoNow(world), status, duration_ms, answer: text };
  for (let saves = 0; saves < savesMax; saves++) {
    const now = (await store.webhooks(accountId)).find(({ id }) => id === webhook.id);
    const kept = now && { webhookId: webhook.id, before: now, state: now, delivery };
    if (!kept || (await store.saveDelivery(accountId, kept))) break;
  }
  return successReply(200, result);
}

const eventNotFoundRefusal: RestReply = {
  ok: false,
  error: {
    code: 'event_not_found',
    detail: 'The endpoint has no delivery of such an event, or the event was removed.',
  },
};
