/** `GET /events` returns a page of what changed in an account. */
import type { AccountEvent, AccountEventPage } from '../../shared/schema/integration/account-event.ts';
import { eventSubjectKinds, type EventType } from '../../shared/schema/integration/event-types.ts';
import { validationRefusal } from '../../shared/domain/outcome.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { EventRow, LoggedEvent } from '../store/events/event-row.ts';
import type { Store } from '../store/store.ts';
import { eventIdOf, formatEventCursor, epochPrefixOf, parseEventCursor } from './event-cursor.ts';

/** Limits how much one read parses. A row has the events of one transaction: one event, or thousands. */
const rowsPerRead = 1_000;
const bytesPerRead = 256 * 1024;
/** Ends a page whose filter matches few events, so that no request reads all events of an account. */
const eventsReadMax = 20_000;

export interface ListEventsQuery {
  /** The page begins after this cursor. `latest` means the end of all events, and undefined means their start. */
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
  const epochPrefix = epochPrefixOf(await store.epoch());
  const cursorAt = (version: number) => formatEventCursor({ version, epochPrefix });
  // Read the version first: events that are written after this read belong to a later page.
  const newest = (await store.account(accountId))?.version ?? 0;
  if (after === 'latest') return eventPage([], { next_cursor: cursorAt(newest), has_more: false });
  const cursor = after === undefined ? { version: 0, epochPrefix } : parseEventCursor(after);
  if (!cursor) return validationRefusal([{ path: '/after', message: 'is not a cursor of this list' }]);
  const expired = (reason: ExpiryReason, removedUpTo: number) =>
    expiredRefusal(reason, { oldest_cursor: cursorAt(removedUpTo), latest_cursor: cursorAt(newest) });

  const data: AccountEvent[] = [];
  let { version } = cursor;
  let eventsRead = 0;
  for (let isFirstRead = true; ; isFirstRead = false) {
    const read = await store.events(accountId, { after: version, rowsMax: rowsPerRead, bytesMax: bytesPerRead });
    const { rows, removedUpTo } = read;
    // The cursor may be newer than the account if a standby took over without the latest changes.
    if (cursor.epochPrefix !== epochPrefix || cursor.version > newest) return expired('restored', removedUpTo);
    if (after !== undefined && isFirstRead && version < removedUpTo) return expired('removed', removedUpTo);
    // A sweep removed events during this request. Return the events up to the gap; the request for the next page fails.
    if (!isFirstRead && version < removedUpTo) break;
    for (const { event, created_at } of eventsAfter(version, rows)) {
      const isFull = data.length === limit || eventsRead === eventsReadMax;
      if (isFull) return eventPage(data, { next_cursor: cursorAt(version), has_more: true });
      version = event.version;
      eventsRead += 1;
      if (!types || types.has(event.type)) data.push(toAccountEvent(accountId, event, created_at));
    }
    const last = rows.at(-1);
    if (!last) return eventPage(data, { next_cursor: cursorAt(version), has_more: false });
    version = Math.max(version, last.last_version);
  }
  return eventPage(data, { next_cursor: cursorAt(version), has_more: true });
}

const eventPage = (
  data: AccountEvent[],
  rest: Omit<AccountEventPage, 'data'>,
): { ok: true; page: AccountEventPage } => ({
  ok: true,
  page: { data, ...rest },
});

/** Returns all events in the rows whose own version is higher than `after`. */
export function eventsAfter(after: number, rows: EventRow[]): { event: LoggedEvent; created_at: string }[] {
  return rows.flatMap(({ events, created_at }) =>
    events.filter(({ version }) => version > after).map((event) => ({ event, created_at })),
  );
}

export function toAccountEvent(
  accountId: string,
  { version, type, subjectId, actor }: LoggedEvent,
  created_at: string,
): AccountEvent {
  const subject = { kind: eventSubjectKinds[type], id: subjectId };
  return { id: eventIdOf(accountId, version), type, created_at, version, subject, actor };
}

/** `removed`: old events after the cursor were removed. `restored`: the server lost changes that it had listed. */
type ExpiryReason = 'removed' | 'restored';

const expiryTexts: Record<ExpiryReason, string> = {
  removed: 'Events after this cursor are older than 30 days and were removed.',
  restored: 'The server lost changes that were told, by a restore from a backup or a takeover by a standby.',
};

/** Returns a refusal if events with a higher version than `version` were removed; undefined if none were. */
export async function refusalIfEventsRemoved(
  store: Store,
  accountId: string,
  version: number,
): Promise<RefusedRequest | undefined> {
  const { removedUpTo } = await store.events(accountId, { after: version, rowsMax: 1, bytesMax: 1 });
  if (version >= removedUpTo) return undefined;
  const epochPrefix = epochPrefixOf(await store.epoch());
  const newest = (await store.account(accountId))?.version ?? 0;
  const cursorAt = (at: number) => formatEventCursor({ version: at, epochPrefix });
  return expiredRefusal('removed', { oldest_cursor: cursorAt(removedUpTo), latest_cursor: cursorAt(newest) });
}

function expiredRefusal(
  reason: ExpiryReason,
  cursors: { oldest_cursor: string; latest_cursor: string },
): RefusedRequest {
  const detail = `${expiryTexts[reason]} Read the records again, then go on at \`latest_cursor\`, as it was before you read them.`;
  return { ok: false, error: { code: 'cursor_expired', detail, members: { reason, ...cursors } } };
}
