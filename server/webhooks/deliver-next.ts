/**
 * Sends the next event of an endpoint and saves what follows. A process that dies has saved nothing of a delivery that was
 * under way, so that event is sent again, with the same id.
 */
import { isoNow, randomFraction } from '../core/world.ts';
import { eventsAfter } from '../events/list-events.ts';
import type { LoggedEvent } from '../store/events/event-row.ts';
import type { DeliveryRow, DeliveryState, WebhookRow } from '../store/webhooks/webhook-row.ts';
import { disableAfterTry } from './disable-webhook.ts';
import { stateAfter } from './next-state.ts';
import { sendEvent, type SenderParts } from './send/send-event.ts';

/** A row has the events of one transaction. */
const rowsPerRead = 50;
const bytesPerRead = 256 * 1024;
/** Ends a turn that finds nothing for the endpoint's types. */
const readsMax = 20;

export interface EndpointKey {
  accountId: string;
  webhookId: string;
}

/** `again`: there may be more to send. `until`: the endpoint is to be tried again then, in milliseconds since 1970. */
export type TurnEnd = { state: 'again' } | { state: 'idle' } | { state: 'waits'; until: number };

const idle: TurnEnd = { state: 'idle' };
const again: TurnEnd = { state: 'again' };

export async function deliverNext(parts: SenderParts, { accountId, webhookId }: EndpointKey): Promise<TurnEnd> {
  const { store, world, signal } = parts;
  const webhook = (await store.webhooks(accountId)).find(({ id }) => id === webhookId);
  if (!webhook || webhook.is_disabled) return idle;
  const dueMs = webhook.next_attempt_at === null ? 0 : Date.parse(webhook.next_attempt_at);
  if (dueMs > world.now()) return { state: 'waits', until: dueMs };
  const { found, passedUpTo } = await nextEvent(parts, accountId, webhook);
  const before = { cursor: webhook.cursor, tries: webhook.tries };
  if (!found) {
    if (passedUpTo === webhook.cursor) return idle;
    const passed = { ...deliveryStateOf(webhook), cursor: passedUpTo, tries: 0 };
    await store.saveDelivery(accountId, { webhookId, before, state: passed });
    return again;
  }
  const answer = await sendEvent(parts, { accountId, webhook, event: found.event, createdAt: found.createdAt });
  // The process stops, which says nothing about the endpoint.
  if (signal.aborted) return idle;
  const tried = { version: found.event.version, answer, now: world.now(), random: randomFraction(world) };
  const { state, outcome } = stateAfter(webhook, tried);
  const delivery: DeliveryRow = {
    webhook_id: webhookId,
    version: found.event.version,
    type: found.event.type,
    outcome,
    tries: webhook.tries + 1,
    at: isoNow(world),
    status: answer.status,
    duration_ms: answer.durationMs,
    answer: answer.text,
  };
  parts.onTried(outcome);
  const save = { webhookId, before, state: deliveryStateOf(state), delivery };
  if (state.is_disabled) {
    await disableAfterTry(parts, accountId, save);
    return idle;
  }
  // Someone else moved the cursor if nothing was saved: the next turn reads where the endpoint is now.
  const isSaved = await store.saveDelivery(accountId, save);
  return isSaved && state.next_attempt_at !== null
    ? { state: 'waits', until: Date.parse(state.next_attempt_at) }
    : again;
}

interface NextEvent {
  found: { event: LoggedEvent; createdAt: string } | undefined;
  /** Events up to here are none that the endpoint wants. */
  passedUpTo: number;
}

async function nextEvent({ store }: SenderParts, accountId: string, webhook: WebhookRow): Promise<NextEvent> {
  let passedUpTo = webhook.cursor;
  for (let reads = 0; reads < readsMax; reads++) {
    const { rows } = await store.events(accountId, { after: passedUpTo, rowsMax: rowsPerRead, bytesMax: bytesPerRead });
    const last = rows.at(-1);
    if (!last) break;
    for (const { event, created_at } of eventsAfter(passedUpTo, rows)) {
      const isWanted = webhook.types === null || webhook.types.includes(event.type);
      if (isWanted) return { found: { event, createdAt: created_at }, passedUpTo };
    }
    passedUpTo = Math.max(passedUpTo, last.last_version);
  }
  return { found: undefined, passedUpTo };
}

function deliveryStateOf(state: DeliveryState): DeliveryState {
  const { is_disabled, cursor, tries, next_attempt_at, failing_since, last_success_at } = state;
  return { is_disabled, cursor, tries, next_attempt_at, failing_since, last_success_at };
}
