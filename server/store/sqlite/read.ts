/** Reads single records, lists and the answers to pushes. */
import type { MapDoc, MapRecord } from '../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';
import {
  parseMapDoc,
  parseMapRecord,
  parseRunDoc,
  parseUndeletedRunDoc,
  type MapDocColumns,
  type RunDocColumns,
  type UndeletedRunColumns,
} from '../rows/documents.ts';
import { pageByIdsOf, pageOf, type Page } from '../page.ts';
import type { IdsQuery, MapQuery, RunPosition, RunsInScopePage, RunsInScopeQuery } from '../queries.ts';
import type { AnswerWithDigest } from '../rows/push-answers.ts';
import { toScopePage, scopeParameters, type ScopeRow } from '../rows/scope-page.ts';
import { rejectionRangesSql } from './changes.ts';
import type { Database } from './database.ts';
import { parseAnswers, type StoredAnswerRows } from '../rows/push-answers.ts';

export function readMap(database: Database, accountId: string, mapId: string): MapDoc | undefined {
  const sql = 'SELECT created_version, record, stages FROM maps WHERE account_id = ? AND id = ?';
  const row = database.get<MapDocColumns>(sql, accountId, mapId);
  return row && parseMapDoc(row);
}

export function readMapsByIds(
  database: Database,
  accountId: string,
  { ids, after = '', bytesMax }: IdsQuery<string>,
): Page<MapDoc, string> {
  const rows = database.all<MapDocColumns & { id: string; last_id: string }>(
    `WITH sized AS (
       SELECT id, sum(octet_length(stages)) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) - octet_length(stages) AS bytes_before
         FROM maps WHERE account_id = ?1 AND id > ?2 AND id IN (SELECT value FROM json_each(?3))
     )
     SELECT maps.id, created_version, record, stages, (SELECT max(id) FROM sized) AS last_id
       FROM sized JOIN maps ON maps.account_id = ?1 AND maps.id = sized.id
      WHERE bytes_before < ?4 ORDER BY maps.id`,
    accountId,
    after,
    JSON.stringify(ids),
    bytesMax,
  );
  return pageByIdsOf(rows, parseMapDoc);
}

export function listMaps(database: Database, accountId: string, query: MapQuery): Page<MapRecord> {
  const rows = database.all<{ created_version: number; record: string }>(
    `SELECT created_version, record FROM maps
      WHERE account_id = ?1 AND deleted = ?2 AND created_version < ?3
        AND (?4 IS NULL OR industry = ?4) AND (?5 IS NULL OR state = ?5) AND (?6 IS NULL OR archived = ?6)
      ORDER BY created_version DESC LIMIT ?7`,
    accountId,
    Number(query.deleted),
    query.before ?? Number.MAX_SAFE_INTEGER,
    query.industry ?? null,
    query.state ?? null,
    query.archived === undefined ? null : Number(query.archived),
    query.limit + 1,
  );
  return pageOf(rows, query.limit, { position: (row) => row.created_version, row: parseMapRecord });
}

export function readRun(database: Database, accountId: string, runId: number): RunDoc | undefined {
  const sql = 'SELECT record, steps FROM runs WHERE account_id = ? AND id = ?';
  const row = database.get<RunDocColumns>(sql, accountId, runId);
  return (row && parseRunDoc(row)) ?? undefined;
}

export function readRunsByIds(
  database: Database,
  accountId: string,
  { ids, after = 0, bytesMax }: IdsQuery<number>,
): Page<RunDoc> {
  const rows = database.all<UndeletedRunColumns & { id: number; last_id: number }>(
    `WITH sized AS (
       SELECT id, sum(bytes) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before
         FROM runs
        WHERE account_id = ?1 AND id > ?2 AND id IN (SELECT value FROM json_each(?3)) AND record IS NOT NULL
     )
     SELECT runs.id, record, steps, (SELECT max(id) FROM sized) AS last_id
       FROM sized JOIN runs ON runs.account_id = ?1 AND runs.id = sized.id
      WHERE bytes_before < ?4 ORDER BY runs.id`,
    accountId,
    after,
    JSON.stringify(ids),
    bytesMax,
  );
  return pageByIdsOf(rows, parseUndeletedRunDoc);
}

/** `record IS NOT NULL` lets SQLite use the index of undeleted runs. */
export const runsOfMapSql = `
  SELECT number, record FROM runs
   WHERE account_id = ? AND map_id = ? AND number < ? AND record IS NOT NULL
   ORDER BY number DESC LIMIT ?`;

export function listRuns(
  database: Database,
  accountId: string,
  query: { mapId: string; before?: number; limit: number },
): Page<RunRecord> {
  const rows = database.all<{ number: number; record: string }>(
    runsOfMapSql,
    accountId,
    query.mapId,
    query.before ?? Number.MAX_SAFE_INTEGER,
    query.limit + 1,
  );
  return pageOf(rows, query.limit, { position: (row) => row.number, row: (row) => JSON.parse(row.record) });
}

export function readPushAnswers(
  database: Database,
  accountId: string,
  { clientId, from, to }: { clientId: string; from: number; to: number },
): AnswerWithDigest[] {
  const rows = database.all<{ answers: string }>(
    `SELECT answers FROM push_answers
      WHERE account_id = ? AND client_id = ? AND last_seq >= ? AND first_seq <= ? ORDER BY first_seq`,
    accountId,
    clientId,
    from,
    to,
  );
  const client = database.get<NonNullable<StoredAnswerRows['client']>>(
    `SELECT acked_seq, last_seq, (
              SELECT ${rejectionRangesSql} FROM rejections
               WHERE account_id = ?1 AND client_id = ?2 AND seq <= ?4 AND last_seq >= ?3
            ) AS rejected
       FROM sync_clients WHERE account_id = ?1 AND client_id = ?2`,
    accountId,
    clientId,
    from,
    to,
  );
  return parseAnswers({ texts: rows.map((row) => row.answers), client, from, to });
}

export const startOfNewestRunsSql = `
  SELECT created_at, id FROM runs
   WHERE account_id = ? AND record IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?`;

export function readStartOfNewestRuns(database: Database, accountId: string, runsMax: number): RunPosition | undefined {
  const row = database.get<{ created_at: string; id: number }>(startOfNewestRunsSql, accountId, runsMax - 1);
  return row && { createdMs: Date.parse(row.created_at), id: row.id };
}

export const runsInScopeSql = `
  WITH found AS MATERIALIZED (
    SELECT runs.id, runs.created_at, runs.bytes
      FROM runs CROSS JOIN maps ON maps.account_id = ?1 AND maps.id = runs.map_id
     WHERE runs.account_id = ?1 AND runs.record IS NOT NULL
       AND (runs.created_at, runs.id) >= (?2, ?3) AND (runs.created_at, runs.id) < (?4, ?5)
       AND (?6 IS NULL OR runs.number > coalesce(maps.record ->> 'last_run_number', 0) - ?6)
     ORDER BY runs.created_at DESC, runs.id DESC LIMIT ?7
  ), sized AS (
    SELECT id, created_at, sum(bytes) OVER (ORDER BY created_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before
      FROM found
  )
  SELECT runs.record, runs.steps, (SELECT count(*) FROM found) AS found_count
    FROM sized CROSS JOIN runs ON runs.account_id = ?1 AND runs.id = sized.id
   WHERE sized.bytes_before < ?8 ORDER BY sized.created_at DESC, sized.id DESC`;

export function readRunsInScope(database: Database, accountId: string, query: RunsInScopeQuery): RunsInScopePage {
  return toScopePage(database.all<ScopeRow>(runsInScopeSql, accountId, ...scopeParameters(query)), query.limit);
}

export function haveMoreRunsChanged(
  database: Database,
  accountId: string,
  { after, count }: { after: number; count: number },
): boolean {
  const sql = 'SELECT 1 FROM runs WHERE account_id = ? AND version > ? ORDER BY version LIMIT 1 OFFSET ?';
  return database.get(sql, accountId, after, count) !== undefined;
}
