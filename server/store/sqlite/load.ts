/** Loads the read set of a transaction. The caller holds the write lock of the database. */
import type { MapDoc } from '../../../shared/schema/map.ts';
import { parseClientRow, type ClientColumns } from '../rows/client-row.ts';
import { parseIdempotentReply, type IdempotentReplyColumns } from '../rows/idempotent-reply.ts';
import {
  parseMapDoc,
  parseRunRow,
  type MapDocColumns,
  type RunRowColumns,
  parseRunRowWithoutSteps,
  type RunRowWithoutSteps,
  type RunRowColumnsWithoutSteps,
} from '../rows/documents.ts';
import { uncountedAnswersMax, rejectionRowsCountedMax } from '../account-limits.ts';
import type { IdempotencyKeyPosition, IdempotencyKeySpan } from '../idempotency-lifetime.ts';
import type {
  AppliedMutationRow,
  DeviceClientCounts,
  IdempotentReply,
  LoadedRows,
  DeviceRejectionCount,
  StageKey,
  TransactionReadSet,
  ReadSet,
} from '../transaction.ts';
import type { ClientRow } from '../rows/client-row.ts';
import { parseAppliedMutation, type AppliedMutationColumns } from '../rows/applied-mutation.ts';
import { loadCredentials } from './credentials.ts';
import { readBilling } from '../billing/sqlite-billing.ts';
import { readWebhooks } from '../webhooks/sqlite-webhooks.ts';
import { readAccount } from './accounts.ts';
import type { Database } from './database.ts';
import { stageIdsByMap } from '../rows/stage-ids-by-map.ts';

export function loadReadSet(database: Database, accountId: string, readSet: TransactionReadSet): LoadedRows {
  const account = readAccount(database, accountId);
  if (!account) throw new Error(`No account ${accountId}`);
  const reader = new ReadSetLoader(database, accountId);
  const loadedRuns = reader.runs(readSet);
  const clients = reader.clients(readSet.clientIds);
  const billing = readSet.billing ? readBilling(database, accountId) : undefined;
  return {
    account,
    maps: reader.maps(mapIdsOf(readSet, [...loadedRuns.runs, ...loadedRuns.runsWithSteps])),
    ...loadedRuns,
    takenStageIds: reader.takenStageIds(readSet.deviceMadeStageIds),
    clients,
    appliedMutations: account.was_restored ? reader.appliedMutations(readSet.mutationDigests) : [],
    idempotentReplies: reader.idempotentReplies(readSet.idempotencyKeys),
    ...reader.idempotencySpan(readSet.idempotencyKeys),
    clientCounts: needsClientCounts(clients, readSet) ? reader.clientCounts(readSet.clientsSeenMin) : [],
    rejectionCounts: readSet.clientIds.length > 0 ? reader.rejectionCounts() : [],
    revokedTokens: reader.revokedTokens(readSet.tokenHashes),
    ...(readSet.credentials ? { credentials: loadCredentials(database, accountId, readSet.credentials) } : {}),
    ...(readSet.webhooks ? { webhooks: readWebhooks(database, accountId) } : {}),
    ...(billing ? { billing } : {}),
  };
}

function needsClientCounts(clients: ClientRow[], { clientIds }: ReadSet): boolean {
  return (
    clients.length < clientIds.length ||
    clients.some(({ last_seq, acked_seq }) => last_seq - acked_seq > uncountedAnswersMax)
  );
}

/** Returns the map ids of the read set, and the map ids of the runs to delete. */
function mapIdsOf(readSet: ReadSet, runs: RunRowWithoutSteps[]): string[] {
  const toDelete = new Set(readSet.runIdsToDelete);
  return [...readSet.mapIds, ...runs.filter((run) => toDelete.has(run.id)).map((run) => run.map_id)];
}

/**
 * The columns of a run without `steps`, which may have megabytes. Only a repeated upload and a change of the run need
 * steps.
 */
const runColumnsWithoutStepsSql =
  'id, map_id, number, created_at, version, recording_session_id, fingerprint, made_map, map_then, stage_ids, bytes, record';
const runColumnsSql = `${runColumnsWithoutStepsSql}, steps`;

export const newestRunsSql = `
  SELECT ${runColumnsWithoutStepsSql} FROM runs
   WHERE account_id = ? AND map_id = ? AND record IS NOT NULL ORDER BY number DESC LIMIT ?`;

/**
 * Loads the rows of a read set. A statement gets all ids as one JSON parameter, so one prepared statement fits any
 * number of ids.
 */
class ReadSetLoader {
  readonly #database: Database;
  readonly #accountId: string;

  constructor(database: Database, accountId: string) {
    this.#database = database;
    this.#accountId = accountId;
  }

  maps(ids: string[]): MapDoc[] {
    const sql =
      'SELECT created_version, record, stages FROM maps WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))';
    return this.#byKeys<MapDocColumns>(sql, ids).map(parseMapDoc);
  }

  runs(readSet: ReadSet): Pick<LoadedRows, 'runs' | 'runsWithSteps'> {
    const rows = [
      ...this.#runsWhere<RunRowColumnsWithoutSteps>(
        runColumnsWithoutStepsSql,
        'id IN (SELECT value FROM json_each(?))',
        [...readSet.runIds, ...readSet.runIdsToDelete],
      ),
    ];
    const toDelete = new Set(readSet.runIdsToDelete);
    const theirMaps = new Set(rows.filter((row) => toDelete.has(row.id)).map((row) => row.map_id));
    for (const mapId of theirMaps) rows.push(...this.#newestRuns(mapId, toDelete.size + 1));
    const ofSessions = 'recording_session_id IN (SELECT value FROM json_each(?))';
    const withSteps = [
      ...this.#runsWhere<RunRowColumns>(
        runColumnsSql,
        'id IN (SELECT value FROM json_each(?))',
        readSet.runIdsToChange,
      ),
      ...this.#runsWhere<RunRowColumns>(runColumnsSql, ofSessions, readSet.recordingSessionIds),
    ];
    const withStepsById = new Map(withSteps.map((row) => [row.id, row]));
    const lightById = new Map(rows.filter(({ id }) => !withStepsById.has(id)).map((row) => [row.id, row]));
    return {
      runs: [...lightById.values()].map(parseRunRowWithoutSteps),
      runsWithSteps: [...withStepsById.values()].map(parseRunRow),
    };
  }

  takenStageIds(keys: StageKey[]): StageKey[] {
    const sql = `
      SELECT id FROM stage_ids WHERE account_id = ? AND map_id = ? AND id IN (SELECT value FROM json_each(?))`;
    return [...stageIdsByMap(keys)].flatMap(([map_id, ids]) =>
      this.#database
        .all<{ id: number }>(sql, this.#accountId, map_id, JSON.stringify(ids))
        .map(({ id }) => ({ map_id, id })),
    );
  }

  clients(ids: string[]): ClientRow[] {
    const sql = `
      SELECT client_id, device_id, seen_at, version, last_seq, acked_seq, chain,
             (SELECT json_group_array(json_array(seq, last_seq)) FROM rejections
               WHERE account_id = ?1 AND client_id = sync_clients.client_id) AS rejected
        FROM sync_clients WHERE account_id = ?1 AND client_id IN (SELECT value FROM json_each(?2))`;
    return this.#byKeys<ClientColumns>(sql, ids).map(parseClientRow);
  }

  appliedMutations(digests: string[]): AppliedMutationRow[] {
    const sql = `
      SELECT digest, client_id, version, result
        FROM applied_mutations WHERE account_id = ? AND digest IN (SELECT value FROM json_each(?))`;
    return this.#byKeys<AppliedMutationColumns>(sql, digests).map(parseAppliedMutation);
  }

  idempotentReplies(keys: string[]): IdempotentReply[] {
    const sql = `
      SELECT key, fingerprint, status, headers, body, created_at, keys_before, bytes_before
        FROM idempotency_keys WHERE account_id = ? AND key IN (SELECT value FROM json_each(?))`;
    return this.#byKeys<IdempotentReplyColumns>(sql, keys).map(parseIdempotentReply);
  }

  idempotencySpan(keys: string[]): { idempotencySpan?: IdempotencyKeySpan } {
    if (keys.length === 0) return {};
    const place = (order: string) =>
      this.#database.get<IdempotencyKeyPosition>(
        `SELECT keys_before, bytes_before, created_at FROM idempotency_keys
          WHERE account_id = ? ORDER BY keys_before ${order} LIMIT 1`,
        this.#accountId,
      );
    const [oldest, newest] = [place('ASC'), place('DESC')];
    return oldest && newest ? { idempotencySpan: { oldest: { ...oldest }, newest: { ...newest } } } : {};
  }

  clientCounts(seenMin = ''): DeviceClientCounts[] {
    const sql = `
      SELECT device_id, count(*) FILTER (WHERE seen_at >= ?2) AS clients, sum(last_seq - acked_seq) AS unacknowledged
        FROM sync_clients WHERE account_id = ?1 GROUP BY device_id`;
    return this.#database.all<DeviceClientCounts>(sql, this.#accountId, seenMin).map((row) => ({ ...row }));
  }

  rejectionCounts(): DeviceRejectionCount[] {
    const sql = `
      SELECT client.device_id, sum(last_rejected - max(first_rejected, acked_seq + 1) + 1) AS rejections
        FROM (
          SELECT client_id, seq AS first_rejected, last_seq AS last_rejected
            FROM rejections WHERE account_id = ?1 LIMIT ?2
        ) AS waiting
        JOIN sync_clients AS client ON client.account_id = ?1 AND client.client_id = waiting.client_id
       GROUP BY client.device_id`;
    const rows = this.#database.all<DeviceRejectionCount>(sql, this.#accountId, rejectionRowsCountedMax);
    return rows.map((row) => ({ ...row }));
  }

  revokedTokens(hashes: string[]): string[] {
    const sql = `
      SELECT token_hash FROM tokens
       WHERE account_id = ? AND revoked_at IS NOT NULL AND token_hash IN (SELECT value FROM json_each(?))`;
    return this.#byKeys<{ token_hash: string }>(sql, hashes).map((row) => row.token_hash);
  }

  #runsWhere<Row>(columns: string, condition: string, keys: unknown[]): Row[] {
    return this.#byKeys(`SELECT ${columns} FROM runs WHERE account_id = ? AND ${condition}`, keys);
  }

  #newestRuns(mapId: string, count: number): RunRowColumnsWithoutSteps[] {
    return this.#database.all(newestRunsSql, this.#accountId, mapId, count);
  }

  #byKeys<Row>(sql: string, keys: unknown[]): Row[] {
    return keys.length === 0 ? [] : this.#database.all<Row>(sql, this.#accountId, JSON.stringify(keys));
  }
}
