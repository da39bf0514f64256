/**
 * Sends the next event of an endpoint and saves the outcome. If the process dies during the delivery, nothing is saved,
 * and the event is sent again with the same id.
 */
import { isoNow, randomFraction } from '../core/world.ts';
import type { DeliveryOutcome, DeliveryRow, DeliverySave, WebhookRow } from '../store/webhooks/webhook-row.ts';
import { disableWebhook } from './disable-webhook.ts';
import { findNextEvent, type DatedEvent } from './next-event.ts';
import { stateAfterAttempt } from './next-state.ts';
import { readEventMessage, sendMessage, type SenderServices } from './send/send-event.ts';
import type { SharedReads } from './shared-reads.ts';

export interface EndpointIds {
  accountId: string;
  webhookId: string;
}

export interface DeliveryServices extends SenderServices {
  onAttempt(outcome: DeliveryOutcome): void;
}

interface DeliveryTurn extends EndpointIds {
  reads: SharedReads;
  /** The newest version of the account that this process knows. Each read of the turn sees at least this version. */
  newestVersion: number;
}

export type DeliveryTurnEnd =
  /**
   * Another event may follow. `cursor` is the new cursor, if it is known. `eventAgeMs` is the age of the event that was
   * just sent.
   */
  | { state: 'again'; cursor?: number; eventAgeMs?: number }
  | { state: 'idle' }
  /** The next attempt is due at `until`, in milliseconds since 1970. */
  | { state: 'waits'; until: number };

const idleEnd: DeliveryTurnEnd = { state: 'idle' };
const againEnd: DeliveryTurnEnd = { state: 'again' };

export async function deliverNext(services: DeliveryServices, turn: DeliveryTurn): Promise<DeliveryTurnEnd> {
  const { store, world } = services;
  const { accountId, webhookId, reads, newestVersion } = turn;
  const webhook = await store.webhook(accountId, webhookId);
  if (!webhook || webhook.disabled_reason !== null) return idleEnd;
  const dueMs = webhook.next_attempt_at === null ? 0 : Date.parse(webhook.next_attempt_at);
  if (dueMs > world.now()) return { state: 'waits', until: dueMs };
  const { revision, cursor, types } = webhook;
  const readKey = JSON.stringify(['event', accountId, newestVersion, cursor, types]);
  const next = await reads.get(readKey, () => findNextEvent(store, accountId, webhook));
  if (next.state === 'found') return attemptDelivery(services, turn, { webhook, ...next });
  if (next.state === 'removed') {
    const state = { ...webhook, disabled_reason: 'events_removed' as const, tries: 0, next_attempt_at: null };
    await disableWebhook(services, accountId, { webhookId, revision, state });
    return idleEnd;
  }
  if (next.upTo === cursor) return idleEnd;
  // The passed events are of other types, so they do not wait for a delivery. If no earlier event was set aside since
  // the failures began, move `failing_from` past the passed events.
  const failing_from = webhook.failing_from === cursor ? next.upTo : webhook.failing_from;
  const state = { ...webhook, cursor: next.upTo, tries: 0, next_attempt_at: null, failing_from };
  const isSaved = await store.saveDelivery(accountId, { webhookId, revision, state });
  return isSaved ? { state: 'again', cursor: next.upTo } : againEnd;
}

async function attemptDelivery(
  services: DeliveryServices,
  { accountId, reads, newestVersion }: DeliveryTurn,
  { webhook, event, createdAt }: DatedEvent & { webhook: WebhookRow },
): Promise<DeliveryTurnEnd> {
  const { store, world, signal } = services;
  const { version, type } = event;
  const readKey = JSON.stringify(['message', accountId, newestVersion, version]);
  const message = await reads.get(readKey, () => readEventMessage(store, accountId, { event, createdAt }));
  const response = await sendMessage(services, { accountId, webhook, ...message });
  // The process is stopping, so the failure says nothing about the endpoint.
  if (signal.aborted) return idleEnd;
  const attempt = {
    version,
    response,
    now: world.now(),
    createdAt: Date.parse(createdAt),
    random: randomFraction(world),
  };
  const { state, outcome } = stateAfterAttempt(webhook, attempt);
  services.onAttempt(outcome);
  const { status, body, error, durationMs: duration_ms } = response;
  const tried = { version, type, outcome, tries: webhook.tries + 1, at: isoNow(world) };
  const delivery: DeliveryRow = { webhook_id: webhook.id, ...tried, status, duration_ms, body, error };
  const save: DeliverySave = { webhookId: webhook.id, revision: webhook.revision, state, delivery };
  const isSaved =
    state.disabled_reason === null
      ? await store.saveDelivery(accountId, save)
      : await disableWebhook(services, accountId, save);
  // If nothing was saved, another request changed the endpoint meanwhile, and the next turn reads it again.
  if (!isSaved) return againEnd;
  if (state.next_attempt_at === null) {
    return { state: 'again', cursor: state.cursor, eventAgeMs: attempt.now - attempt.createdAt };
  }
  return { state: 'waits', until: Date.parse(state.next_attempt_at) };
}
