/** Finds the next event that an endpoint wants. */
import { eventsAfter } from '../events/list-events.ts';
import type { LoggedEvent } from '../store/events/event-row.ts';
import type { Store } from '../store/store.ts';
import type { WebhookRow } from '../store/webhooks/webhook-row.ts';

/** A row has the events of one transaction, so that the first one has an event for an endpoint that wants all. */
const rowsPerRead = { all: 1, some: 50 };
const bytesPerRead = 256 * 1024;
/** Ends a search that finds nothing of the endpoint's types. */
const readsMax = 20;

export interface DatedEvent {
  event: LoggedEvent;
  createdAt: string;
}

export type NextEvent =
  | ({ state: 'found' } & DatedEvent)
  /** The endpoint wants no event up to this version. */
  | { state: 'passed'; upTo: number }
  /** Events after the cursor were removed, so it is not known whether the endpoint wanted them. */
  | { state: 'removed' };

export async function nextEvent(
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
