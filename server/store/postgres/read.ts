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
import { parseAnswers, type StoredAnswerRows } from '../rows/push-answers.ts';
import { rejectionRangesSql } from './changes.ts';
import type { Connections } from './connections.ts';
import { statement } from './statement.ts';
import { isUuid } from './types.ts';

const selectMapStatement = statement({
  name: 'select_map',
  text: 'SELECT created_version, record, stages FROM maps WHERE account_id = $1 AND id = $2',
});

export async function readMap(connections: Connections, accountId: string, mapId: string): Promise<MapDoc | undefined> {
  if (!isUuid(mapId)) return undefined;
  const [row] = await connections.query<MapDocColumns>(selectMapStatement, [accountId, mapId]);
  return row && parseMapDoc(row);
}

const selectMapsByIdsStatement = statement({
  name: 'select_maps_by_ids',
  text: `
    WITH sized AS (
      SELECT id, sum(octet_length(stages::text)) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING)
                   - octet_length(stages::text) AS bytes_before
        FROM maps WHERE account_id = $1 AND ($2::uuid IS NULL OR id > $2) AND id = ANY ($3::uuid[])
    )
    SELECT maps.id, created_version, record, stages, (SELECT id FROM sized ORDER BY id DESC LIMIT 1) AS last_id
      FROM sized JOIN maps ON maps.account_id = $1 AND maps.id = sized.id
     WHERE bytes_before < $4 ORDER BY maps.id`,
});

export async function readMapsByIds(
  connections: Connections,
  accountId: string,
  { ids, after, bytesMax }: IdsQuery<string>,
): Promise<Page<MapDoc, string>> {
  const rows = await connections.query<MapDocColumns & { id: string; last_id: string }>(selectMapsByIdsStatement, [
    accountId,
    after ?? null,
    ids.filter(isUuid),
    bytesMax,
  ]);
  return pageByIdsOf(rows, parseMapDoc);
}

/**
 * The statement has no name, so PostgreSQL makes a plan for the given filters. If one plan had to fit all filters,
 * PostgreSQL would expect far more rows than the query finds.
 */
const selectMapsStatement = statement({
  text: `
    SELECT created_version, record FROM maps
     WHERE account_id = $1 AND deleted = $2 AND created_version < $3
       AND ($4::text IS NULL OR industry = $4) AND ($5::text IS NULL OR state = $5)
       AND ($6::boolean IS NULL OR archived = $6)
     ORDER BY created_version DESC LIMIT $7`,
});

export async function listMaps(connections: Connections, accountId: string, query: MapQuery): Promise<Page<MapRecord>> {
  const rows = await connections.query<{ created_version: number; record: string }>(selectMapsStatement, [
    accountId,
    query.deleted,
    query.before ?? Number.MAX_SAFE_INTEGER,
    query.industry,
    query.state,
    query.archived,
    query.limit + 1,
  ]);
  return pageOf(rows, query.limit, { position: (row) => row.created_version, row: parseMapRecord });
}

const selectRunStatement = statement({
  name: 'select_run',
  text: 'SELECT record, steps FROM runs WHERE account_id = $1 AND id = $2',
});

export async function readRun(connections: Connections, accountId: string, runId: number): Promise<RunDoc | undefined> {
  const [row] = await connections.query<RunDocColumns>(selectRunStatement, [accountId, runId]);
  return (row && parseRunDoc(row)) ?? undefined;
}

const selectRunsByIdsStatement = statement({
  name: 'select_runs_by_ids',
  text: `
    WITH sized AS (
      SELECT id, sum(bytes) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before
        FROM runs WHERE account_id = $1 AND id > $2 AND id = ANY ($3::bigint[]) AND record IS NOT NULL
    )
    SELECT runs.id, record, steps, (SELECT max(id) FROM sized) AS last_id
      FROM sized JOIN runs ON runs.account_id = $1 AND runs.id = sized.id
     WHERE bytes_before < $4 ORDER BY runs.id`,
});

export async function readRunsByIds(
  connections: Connections,
  accountId: string,
  { ids, after = 0, bytesMax }: IdsQuery<number>,
): Promise<Page<RunDoc>> {
  const values = [accountId, after, ids, bytesMax];
  type Found = UndeletedRunColumns & { id: number; last_id: number };
  return pageByIdsOf(await connections.query<Found>(selectRunsByIdsStatement, values), parseUndeletedRunDoc);
}

const selectRunsOfMapStatement = statement({
  text: `
    SELECT number, record FROM runs
     WHERE account_id = $1 AND map_id = $2 AND number < $3 AND record IS NOT NULL
     ORDER BY number DESC LIMIT $4`,
});

export async function listRuns(
  connections: Connections,
  accountId: string,
  query: { mapId: string; before?: number; limit: number },
): Promise<Page<RunRecord>> {
  if (!isUuid(query.mapId)) return { rows: [], next: null };
  const before = query.before ?? Number.MAX_SAFE_INTEGER;
  const rows = await connections.query<{ number: number; record: string }>(selectRunsOfMapStatement, [
    accountId,
    query.mapId,
    before,
    query.limit + 1,
  ]);
  return pageOf(rows, query.limit, { position: (row) => row.number, row: (row) => JSON.parse(row.record) });
}

const selectPushAnswersStatement = statement({
  name: 'select_push_answers',
  text: `
    SELECT answers FROM push_answers
     WHERE account_id = $1 AND client_id = $2 AND last_seq >= $3 AND first_seq <= $4 ORDER BY first_seq`,
});

export async function readPushAnswers(
  connections: Connections,
  accountId: string,
  { clientId, from, to }: { clientId: string; from: number; to: number },
): Promise<AnswerWithDigest[]> {
  const values = [accountId, clientId, from, to];
  const rows = await connections.query<{ answers: string }>(selectPushAnswersStatement, values);
  const [client] = await connections.query<NonNullable<StoredAnswerRows['client']>>(
    selectClientProgressStatement,
    values,
  );
  return parseAnswers({ texts: rows.map((row) => row.answers), client, from, to });
}

const selectClientProgressStatement = statement({
  text: `
    SELECT acked_seq, last_seq, (
             SELECT ${rejectionRangesSql} FROM rejections
              WHERE account_id = $1 AND client_id = $2 AND seq <= $4 AND last_seq >= $3
           ) AS rejected
      FROM sync_clients WHERE account_id = $1 AND client_id = $2`,
});

const selectStartOfNewestRunsStatement = statement({
  text: `
    SELECT created_at, id FROM runs
     WHERE account_id = $1 AND record IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $2`,
});

export async function readStartOfNewestRuns(
  connections: Connections,
  accountId: string,
  runsMax: number,
): Promise<RunPosition | undefined> {
  const [row] = await connections.query<{ created_at: string; id: number }>(selectStartOfNewestRunsStatement, [
    accountId,
    runsMax - 1,
  ]);
  return row && { createdMs: Date.parse(row.created_at), id: row.id };
}

/**
 * The statement has no name, so PostgreSQL makes a plan for the given positions. A subquery reads the map's last
 * number. With a join instead, PostgreSQL may read all maps first, and then all runs of these maps.
 */
const selectRunsInScopeStatement = statement({
  text: `
    WITH found AS MATERIALIZED (
      SELECT runs.id, runs.created_at, runs.bytes
        FROM runs
       WHERE runs.account_id = $1 AND runs.record IS NOT NULL
         AND (runs.created_at, runs.id) >= ($2::timestamptz, $3::bigint)
         AND (runs.created_at, runs.id) < ($4::timestamptz, $5::bigint)
         AND ($6::bigint IS NULL OR runs.number > coalesce((
           SELECT (maps.record ->> 'last_run_number')::bigint FROM maps
            WHERE maps.account_id = $1 AND maps.id = runs.map_id), 0) - $6)
       ORDER BY runs.created_at DESC, runs.id DESC LIMIT $7
    ), sized AS (
      SELECT id, created_at,
             sum(bytes) OVER (ORDER BY created_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before
        FROM found
    )
    SELECT runs.record::text, runs.steps::text, (SELECT count(*) FROM found) AS found_count
      FROM sized JOIN runs ON runs.account_id = $1 AND runs.id = sized.id
     WHERE sized.bytes_before < $8 ORDER BY sized.created_at DESC, sized.id DESC`,
});

export async function readRunsInScope(
  connections: Connections,
  accountId: string,
  query: RunsInScopeQuery,
): Promise<RunsInScopePage> {
  const values = [accountId, ...scopeParameters(query)];
  return toScopePage(await connections.query<ScopeRow>(selectRunsInScopeStatement, values), query.limit);
}

const selectChangedRunStatement = statement({
  text: 'SELECT 1 FROM runs WHERE account_id = $1 AND version > $2 ORDER BY version LIMIT 1 OFFSET $3',
});

export async function haveMoreRunsChanged(
  connections: Connections,
  accountId: string,
  { after, count }: { after: number; count: number },
): Promise<boolean> {
  return (await connections.query(selectChangedRunStatement, [accountId, after, count])).length > 0;
}
