/** Finds the next event of the types that an endpoint subscribes to. */
import { eventsAfter } from '../events/list-events.ts';
import type { LoggedEvent } from '../store/events/event-row.ts';
import type { Store } from '../store/store.ts';
import type { WebhookRow } from '../store/webhooks/webhook-row.ts';

/**
 * How many rows of events one read asks for. An endpoint for all types needs only one row, since each row has at least
 * one event.
 */
const rowsPerRead = { all: 1, some: 50 };
const bytesPerRead = 256 * 1024;
/** Limits one search for an event of the endpoint's types. */
const readsMax = 20;

export interface DatedEvent {
  event: LoggedEvent;
  createdAt: string;
}

export type NextEvent =
  | ({ state: 'found' } & DatedEvent)
  /** No event up to this version is of the endpoint's types. */
  | { state: 'passed'; upTo: number }
  /** Events after the cursor were removed. Some of them may have been of the endpoint's types. */
  | { state: 'removed' };

export async function findNextEvent(
  store: Store,
  accountId: string,
  { cursor, types }: Pick<WebhookRow, 'cursor' | 'types'>,
): Promise<NextEvent> {
  let upTo = cursor;
  for (let reads = 0; reads < readsMax; reads++) {
    const query = { after: upTo, rowsMax: types === null ? rowsPerRead.all : rowsPerRead.some, bytesMax: bytesPerRead };
    const { rows, removedUpTo } = await store.events(accountId, query);
    if (upTo < removedUpTo) return { state: 'removed' };
    for (const { event, created_at: createdAt } of eventsAfter(upTo, rows)) {
      if (types === null || types.includes(event.type)) return { state: 'found', event, createdAt };
    }
    const last = rows.at(-1);
    if (!last) break;
    upTo = Math.max(upTo, last.last_version);
  }
  return { state: 'passed', upTo };
}
