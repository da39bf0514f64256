/** Reads and removes account events. */
import { parseEventRow, type EventColumns } from './event-row.ts';
import type { EventRows, EventsQuery } from '../queries.ts';
import type { Connections } from '../postgres/connections.ts';
import { statement } from '../postgres/statement.ts';

const selectEventsStatement = statement({
  name: 'select_events',
  text: `
    SELECT last_version, created_at, events FROM account_events
     WHERE account_id = $1 AND last_version > $2 ORDER BY last_version LIMIT $3`,
});

const selectOldestEventsStatement = statement({
  name: 'select_oldest_events',
  text: `
    SELECT last_version, created_at, events FROM account_events
     WHERE account_id = $1 ORDER BY last_version LIMIT 1`,
});

export async function readEvents(
  connections: Connections,
  accountId: string,
  { after, rowsMax }: EventsQuery,
): Promise<EventRows> {
  const rows = await connections.query<EventColumns>(selectEventsStatement, [accountId, after, rowsMax]);
  // Read after the rows: a sweep in between makes the cursor expire, but no event is skipped.
  const [oldest] = await connections.query<EventColumns>(selectOldestEventsStatement, [accountId]);
  return { rows: rows.map(parseEventRow), removedUpTo: oldest?.events === '' ? oldest.last_version : 0 };
}

/**
 * Deletes old rows, but of the newest old row the events alone: it says up to which version events were removed. Both happen
 * in one statement, so that no reader sees one without the other.
 */
const sweepEventsStatement = statement({
  text: `
    WITH newest AS (
      SELECT max(last_version) AS last_version
        FROM (SELECT last_version, created_at FROM account_events
               WHERE account_id = $1 ORDER BY last_version LIMIT $3 + 1) AS oldest
       WHERE created_at < $2
    ), emptied AS (
      UPDATE account_events SET events = ''
       WHERE account_id = $1 AND last_version = (SELECT last_version FROM newest) AND events <> ''
    )
    DELETE FROM account_events
     WHERE account_id = $1 AND last_version < (SELECT last_version FROM newest)
    RETURNING 1`,
});

export async function sweepEvents(
  connections: Connections,
  accountId: string,
  { before, rowsMax }: { before: string; rowsMax: number },
): Promise<number> {
  return (await connections.query(sweepEventsStatement, [accountId, before, rowsMax])).length;
}
