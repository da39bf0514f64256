import { validationRefusal } from '../../../shared/domain/outcome.ts';
import type { RefusedRequest } from '../../core/reply.ts';
import { epochPrefixOf, parseEventCursor, versionOfEvent } from '../../events/event-cursor.ts';
import { refusalIfEventsRemoved } from '../../events/list-events.ts';
import type { Store } from '../../store/store.ts';

/**
 * Returns the version after which events are sent again. `after` is a cursor of `GET /events` or the id of an event.
 */
export async function parseReplayPosition(
  store: Store,
  accountId: string,
  after: string,
): Promise<{ ok: true; version: number } | RefusedRequest> {
  const epochPrefix = epochPrefixOf(await store.epoch());
  const cursor = parseEventCursor(after);
  const version = cursor?.epochPrefix === epochPrefix ? cursor.version : versionOfEvent(accountId, after);
  if (version === undefined) {
    const message = cursor ? 'is a cursor from before a restore' : 'is no cursor and no id of an event of this account';
    return validationRefusal([{ path: '/after', message }]);
  }
  return (await refusalIfEventsRemoved(store, accountId, version)) ?? { ok: true, version };
}
