/** Reads and removes account events. */
import { parseEventRow, type EventColumns } from './event-row.ts';
import type { EventRows, EventsQuery } from '../queries.ts';
import type { Connections } from '../postgres/connections.ts';
import { runTransaction } from '../postgres/run-transaction.ts';
import { ownAccountRowSql, statement } from '../postgres/statement.ts';

export const insertEventsStatement = statement({
  name: 'save_events',
  text: `
    INSERT INTO account_events (account_id, last_version, created_at, events)
    SELECT account.account_id, last_version, written.created_at, events
      FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (last_version bigint, created_at timestamptz, events text)`,
});

const selectEventsStatement = statement({
  name: 'select_events',
  text: `
    SELECT last_version, created_at, events
      FROM (SELECT last_version, created_at, events,
                   sum(octet_length(events)) OVER (ORDER BY last_version ROWS UNBOUNDED PRECEDING) - octet_length(events) AS bytes_before
              FROM account_events WHERE account_id = $1 AND last_version > $2 ORDER BY last_version LIMIT $3) AS sized
     WHERE bytes_before < $4 ORDER BY last_version`,
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
  { after, rowsMax, bytesMax }: EventsQuery,
): Promise<EventRows> {
  const rows = await connections.query<EventColumns>(selectEventsStatement, [accountId, after, rowsMax, bytesMax]);
  // The oldest row tells which events a sweep removed. A sweep may run between the two reads. Read the oldest row last,
  // so that it shows this sweep: the reader's cursor then expires, and the reader skips no event unnoticed.
  const [oldest] = await connections.query<EventColumns>(selectOldestEventsStatement, [accountId]);
  return { rows: rows.map(parseEventRow), removedUpTo: oldest?.events === '' ? oldest.last_version : 0 };
}

/** Selects the last version of the oldest rows up to the first young one. */
const selectLastExpiredVersionStatement = statement({
  text: `
    WITH oldest AS (
      SELECT last_version, created_at, events FROM account_events WHERE account_id = $1 ORDER BY last_version LIMIT $3
    )
    SELECT max(last_version) AS last_version FROM oldest
     WHERE events <> '' AND NOT EXISTS (
             SELECT 1 FROM oldest AS young WHERE young.last_version <= oldest.last_version AND young.created_at >= $2)`,
});

const emptyEventsStatement = statement({
  text: "UPDATE account_events SET events = '' WHERE account_id = $1 AND last_version = $2 AND events <> ''",
});

const deleteEventsStatement = statement({
  text: 'DELETE FROM account_events WHERE account_id = $1 AND last_version < $2 RETURNING 1',
});

/**
 * Deletes up to `rowsMax` of the oldest rows, before the first row that was created at or after `before`. The last old
 * row stays without its events, and marks which events were removed. A row after that first row stays even if it looks
 * older than `before`, since the clock may have been behind when the row was created.
 */
export async function sweepEvents(
  connections: Connections,
  accountId: string,
  { before, rowsMax }: { before: string; rowsMax: number },
): Promise<number> {
  const find = [accountId, before, rowsMax + 1];
  const [newest] = await connections.query<{ last_version: number | null }>(selectLastExpiredVersionStatement, find);
  const values = [accountId, newest?.last_version ?? null];
  if (values[1] === null) return 0;
  const first = [
    { statement: deleteEventsStatement, values },
    { statement: emptyEventsStatement, values },
  ];
  const removed = await runTransaction(connections, first, ([deleted]) => {
    return { calls: [], result: deleted?.rows.length ?? 0 };
  });
  return removed ?? 0;
}
