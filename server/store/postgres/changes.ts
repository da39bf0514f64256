/**
 * Reads the changes after a version with one statement, so that all rows are from one snapshot of the database. The
 * statement looks up the versions of the page in the indexes of three tables. It then reads records one by one until
 * the page is full.
 */
import { changesBytesMax, toChangesPage, deletedAfterOrDefault, type ChangeRow } from '../rows/changes-page.ts';
import type { ChangesPage, ChangesQuery } from '../queries.ts';
import type { Connections } from './connections.ts';
import { statement } from './statement.ts';

export async function readChanges(
  connections: Connections,
  accountId: string,
  query: ChangesQuery,
): Promise<ChangesPage> {
  const rows = await connections.query<PageRow>(selectChangesStatement, [
    accountId,
    query.after,
    query.limit + 1,
    query.kinds.includes('map'),
    query.kinds.includes('run'),
    deletedAfterOrDefault(query),
    query.clientId,
    changesBytesMax,
  ]);
  const found = rows.filter((row): row is ChangeRow & AccountVersionColumn => row.kind !== null);
  return toChangesPage(found, { limit: query.limit, accountVersion: rows[0]?.account_version ?? 0 });
}

interface AccountVersionColumn {
  account_version: number;
}

/** Each row also has the account's version. Without changes, the statement returns one row whose `kind` is null. */
type PageRow = AccountVersionColumn & (ChangeRow | { kind: null });

/**
 * Makes a JSON list of the stored rejections, as text, since PostgreSQL's JSON type would refuse the text of some
 * errors.
 */
export const rejectionRangesSql = `
  '[' || coalesce(string_agg(
    '{"seq":' || seq || ',"last_seq":' || last_seq || ',"error":' || error || '}', ',' ORDER BY seq), '') || ']'`;

/**
 * Finds the versions of a page, and then reads records by version, since each version belongs to one record. The
 * statement has no name, so PostgreSQL makes a new plan for each page.
 */
const selectChangesStatement = statement({
  text: `
    WITH RECURSIVE found AS MATERIALIZED (
      SELECT array_agg(version ORDER BY version) AS versions
        FROM (
          (SELECT version FROM maps WHERE account_id = $1 AND version > $2 AND $4 ORDER BY version LIMIT $3)
          UNION ALL
          (SELECT version FROM runs
            WHERE account_id = $1 AND version > $2 AND $5 AND (record IS NOT NULL OR version > $6)
            ORDER BY version LIMIT $3)
          UNION ALL
          (SELECT version FROM sync_clients WHERE account_id = $1 AND client_id = $7::uuid AND version > $2)
          ORDER BY version LIMIT $3
        ) AS first
    ), page AS (
      SELECT 0 AS place, NULL AS kind, NULL AS id, NULL::bigint AS version, '' AS record, '' AS part,
             NULL::bigint AS created_version, 0::bigint AS bytes_before
      UNION ALL
      SELECT page.place + 1, change.*, page.bytes_before + coalesce(octet_length(page.record) + octet_length(page.part), 0)
        FROM page CROSS JOIN found
        CROSS JOIN LATERAL (
          SELECT 'map', id::text, version, record::text, stages::text, created_version
            FROM maps WHERE account_id = $1 AND version = found.versions[page.place + 1]
          UNION ALL
          SELECT 'run', id::text, version, record::text, steps::text, NULL
            FROM runs WHERE account_id = $1 AND version = found.versions[page.place + 1]
          UNION ALL
          SELECT 'client', client_id::text, version,
                 json_build_object('last_seq', last_seq, 'acked_seq', acked_seq, 'chain', chain)::text, (
                   SELECT ${rejectionRangesSql} FROM rejections WHERE account_id = $1 AND client_id = $7::uuid
                 ), NULL
            FROM sync_clients
           WHERE account_id = $1 AND client_id = $7::uuid AND version = found.versions[page.place + 1]
        ) AS change
       WHERE page.bytes_before < $8
    )
    SELECT account.version AS account_version, page.*
      FROM accounts AS account LEFT JOIN page ON page.place > 0
     WHERE account.account_id = $1
     ORDER BY page.place`,
});
