/**
 * Reads the changes after a version. Each table has an index by version, so the cost depends only on the size of the
 * page.
 */
import { toChangesPage, deletedAfterOrDefault, isAfterPage, type ChangeRow } from '../rows/changes-page.ts';
import type { ChangesPage, ChangesQuery } from '../queries.ts';
import { readAccount } from './accounts.ts';
import type { Database } from './database.ts';

export function readChanges(database: Database, accountId: string, query: ChangesQuery): ChangesPage {
  return database.snapshot(() => {
    const accountVersion = readAccount(database, accountId)?.version ?? 0;
    return toChangesPage(readPageRows(database, accountId, query), { limit: query.limit, accountVersion });
  });
}

/** Reads the rows of the page and the next row, if there is one. */
function readPageRows(database: Database, accountId: string, query: ChangesQuery): ChangeRow[] {
  const found: ChangeRow[] = [];
  const rows = database.each<Omit<ChangeRow, 'bytes_before'>>(
    changesSql,
    accountId,
    query.after,
    query.limit + 1,
    Number(query.kinds.includes('map')),
    Number(query.kinds.includes('run')),
    deletedAfterOrDefault(query),
    query.clientId ?? null,
  );
  let bytes_before = 0;
  for (const row of rows) {
    const one = { ...row, bytes_before };
    found.push(one);
    if (isAfterPage(one, found.length - 1, query.limit)) break;
    bytes_before += Buffer.byteLength(row.record ?? '') + Buffer.byteLength(row.part ?? '');
  }
  return found;
}

/** Makes a JSON list of the stored rejections, whose errors are JSON text already. */
export const rejectionRangesSql = `
  '[' || coalesce(group_concat(
    '{"seq":' || seq || ',"last_seq":' || last_seq || ',"error":' || error || '}', ',' ORDER BY seq), '') || ']'`;

const changesSql = `
  SELECT 'map' AS kind, id, version, record, stages AS part, created_version
    FROM maps WHERE account_id = ?1 AND version > ?2 AND ?4
  UNION ALL
  SELECT 'run', id, version, record, steps, NULL
    FROM runs WHERE account_id = ?1 AND version > ?2 AND ?5 AND (record IS NOT NULL OR version > ?6)
  UNION ALL
  SELECT 'client', client_id, version, json_object('last_seq', last_seq, 'acked_seq', acked_seq, 'chain', chain), (
           SELECT ${rejectionRangesSql} FROM rejections WHERE account_id = ?1 AND client_id = ?7
         ), NULL
    FROM sync_clients WHERE account_id = ?1 AND client_id = ?7 AND version > ?2
  ORDER BY version LIMIT ?3`;
