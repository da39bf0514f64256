/** `GET /events` returns a page of what changed in an account. */
import {
  eventSubjectKinds,
  type AccountEvent,
  type AccountEventPage,
  type EventType,
} from '../../shared/schema/integration/account-event.ts';
import { validationFailed } from '../../shared/domain/outcome.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { EventRow, LoggedEvent } from '../store/events/event-row.ts';
import type { Store } from '../store/store.ts';
import { eventId, formatEventCursor, historyOf, parseEventCursor } from './event-cursor.ts';

/** A row may have the events of some hundred requests. */
const rowsPerRead = 20;
/** Ends a page whose filter lets few events through, so that no request reads an account's whole month. */
const eventsReadMax = 20_000;

export interface ListEventsQuery {
  /** A cursor, or `latest` for the end; undefined for the oldest event. */
  after: string | undefined;
  /** undefined for all types. */
  types: ReadonlySet<EventType> | undefined;
  limit: number;
}

export async function listEvents(
  store: Store,
  accountId: string,
  { after, types, limit }: ListEventsQuery,
): Promise<{ ok: true; page: AccountEventPage } | RefusedRequest> {
  const history = historyOf(await store.epoch());
  const cursorAt = (version: number) => formatEventCursor({ version, history });
  if (after === 'latest') {
    const end = cursorAt(await versionOf(store, accountId));
    return { ok: true, page: { data: [], next_cursor: end, has_more: false } };
  }
  const cursor = after === undefined ? { version: 0, history } : parseEventCursor(after);
  if (!cursor) return validationFailed([{ path: '/after', message: 'is not a cursor of this list' }]);

  const data: AccountEvent[] = [];
  let { version } = cursor;
  for (let eventsRead = 0; ;) {
    const { rows, removedUpTo } = await store.events(accountId, { after: version, rowsMax: rowsPerRead });
    const isOtherHistory = cursor.history !== history;
    // Only a list from the oldest event on may begin after removed ones.
    const isRemoved = version < removedUpTo && (after !== undefined || version > 0);
    if (isOtherHistory || isRemoved) return cursorExpiredRefusal(cursorAt(removedUpTo), isOtherHistory);
    for (const { event, created_at } of eventsAfter(version, rows)) {
      const isFull = data.length === limit || eventsRead === eventsReadMax;
      if (isFull) return { ok: true, page: { data, next_cursor: cursorAt(version), has_more: true } };
      version = event.version;
      eventsRead += 1;
      if (!types || types.has(event.type)) data.push(toAccountEvent(accountId, event, created_at));
    }
    version = Math.max(version, rows.at(-1)?.last_version ?? 0);
    if (rows.length < rowsPerRead) {
      // A takeover by a standby may have lost the changes that the cursor is from.
      if (rows.length === 0) version = Math.min(version, await versionOf(store, accountId));
      return { ok: true, page: { data, next_cursor: cursorAt(version), has_more: false } };
    }
  }
}

const versionOf = async (store: Store, accountId: string): Promise<number> =>
  (await store.account(accountId))?.version ?? 0;

function eventsAfter(after: number, rows: EventRow[]): { event: LoggedEvent; created_at: string }[] {
  return rows.flatMap(({ events, created_at }) =>
    events.filter(({ version }) => version > after).map((event) => ({ event, created_at })),
  );
}

function toAccountEvent(
  accountId: string,
  { version, type, subjectId, actor }: LoggedEvent,
  created_at: string,
): AccountEvent {
  const subject = { kind: eventSubjectKinds[type], id: subjectId };
  return { id: eventId(accountId, version), type, created_at, version, subject, actor };
}

function cursorExpiredRefusal(oldest_cursor: string, isOtherHistory: boolean): RefusedRequest {
  const detail = isOtherHistory
    ? 'The server was restored from a backup, which took back changes. Read the records again, then go on at `oldest_cursor`.'
    : 'Events after this cursor are older than 30 days and were removed. Read the records again, then go on at `oldest_cursor`.';
  return { ok: false, error: { code: 'cursor_expired', detail, members: { oldest_cursor } } };
}
