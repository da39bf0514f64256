/** Reads and removes account events. */
import { parseEventRow, type EventColumns } from './event-row.ts';
import type { EventRows, EventsQuery } from '../queries.ts';
import type { Database } from '../sqlite/database.ts';

export const insertEventsSql =
  'INSERT INTO account_events (account_id, last_version, created_at, events) VALUES (?, ?, ?, ?)';

export function readEvents(database: Database, accountId: string, { after, rowsMax }: EventsQuery): EventRows {
  const rows = database.all<EventColumns>(
    `SELECT last_version, created_at, events FROM account_events
      WHERE account_id = ? AND last_version > ? ORDER BY last_version LIMIT ?`,
    accountId,
    after,
    rowsMax,
  );
  // Read after the rows: a sweep of another process in between makes the cursor expire, but no event is skipped.
  const oldest = database.get<EventColumns>(
    'SELECT last_version, created_at, events FROM account_events WHERE account_id = ? ORDER BY last_version LIMIT 1',
    accountId,
  );
  return { rows: rows.map(parseEventRow), removedUpTo: oldest?.events === '' ? oldest.last_version : 0 };
}

/** Deletes old rows, but of the newest old row the events alone: it says up to which version events were removed. */
export function sweepEvents(
  database: Database,
  accountId: string,
  { before, rowsMax }: { before: string; rowsMax: number },
): number {
  const newest = database.get<{ last_version: number | null }>(
    `SELECT max(last_version) AS last_version
       FROM (SELECT last_version, created_at FROM account_events WHERE account_id = ?1 ORDER BY last_version LIMIT ?3)
      WHERE created_at < ?2`,
    accountId,
    before,
    rowsMax + 1,
  )?.last_version;
  if (newest === undefined || newest === null) return 0;
  const emptySql = `UPDATE account_events SET events = '' WHERE account_id = ? AND last_version = ? AND events <> ''`;
  database.run(emptySql, accountId, newest);
  const deleteSql = 'DELETE FROM account_events WHERE account_id = ? AND last_version < ? RETURNING 1';
  return database.all(deleteSql, accountId, newest).length;
}
