/** Reads and removes account events. */
import { parseEventRow, type EventColumns } from './event-row.ts';
import type { EventRows, EventsQuery } from '../queries.ts';
import type { Database } from '../sqlite/database.ts';

export const insertEventsSql =
  'INSERT INTO account_events (account_id, last_version, created_at, events) VALUES (?, ?, ?, ?)';

export function readEvents(
  database: Database,
  accountId: string,
  { after, rowsMax, bytesMax }: EventsQuery,
): EventRows {
  const rows = database.all<EventColumns>(
    `SELECT last_version, created_at, events
       FROM (SELECT last_version, created_at, events,
                    sum(octet_length(events)) OVER (ORDER BY last_version ROWS UNBOUNDED PRECEDING) - octet_length(events) AS bytes_before
               FROM account_events WHERE account_id = ? AND last_version > ? ORDER BY last_version LIMIT ?)
      WHERE bytes_before < ? ORDER BY last_version`,
    accountId,
    after,
    rowsMax,
    bytesMax,
  );
  // The oldest row tells which events a sweep removed. Another process may sweep between the two reads. Read the oldest
  // row last, so that it shows this sweep: the reader's cursor then expires, and the reader skips no event unnoticed.
  const oldest = database.get<EventColumns>(
    'SELECT last_version, created_at, events FROM account_events WHERE account_id = ? ORDER BY last_version LIMIT 1',
    accountId,
  );
  return { rows: rows.map(parseEventRow), removedUpTo: oldest?.events === '' ? oldest.last_version : 0 };
}

/**
 * Deletes up to `rowsMax` of the oldest rows, before the first row that was created at or after `before`. The last old
 * row stays without its events, and marks which events were removed. A row after that first row stays even if it looks
 * older than `before`, since the clock may have been behind when the row was created.
 */
export function sweepEvents(
  database: Database,
  accountId: string,
  { before, rowsMax }: { before: string; rowsMax: number },
): number {
  const newest = database.get<{ last_version: number | null }>(
    `WITH oldest AS (
       SELECT last_version, created_at, events FROM account_events WHERE account_id = ?1 ORDER BY last_version LIMIT ?3
     )
     SELECT max(last_version) AS last_version FROM oldest
      WHERE events <> '' AND NOT EXISTS (
              SELECT 1 FROM oldest AS young WHERE young.last_version <= oldest.last_version AND young.created_at >= ?2)`,
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
