/** Everything that a transaction wants, read while it holds the write lock. */
import type { MapDoc } from '../../../shared/schema/map.ts';
import { clientRow, type ClientColumns } from '../client-row.ts';
import { mapDoc, runRow, type MapText, type RunRowText } from '../documents.ts';
import type { ClientRow, IdempotentAnswer, Loaded, RunRow, StageKey, TransactionWants, Wants } from '../store.ts';
import { loadAccess } from './access.ts';
import { readAccount } from './accounts.ts';
import type { Database } from './database.ts';

export function load(database: Database, accountId: string, wants: TransactionWants): Loaded {
  const account = readAccount(database, accountId);
  if (!account) throw new Error(`No account ${accountId}`);
  const reader = new Reader(database, accountId);
  const runs = reader.runs(wants);
  return {
    account,
    maps: reader.maps(mapIdsOf(wants, runs)),
    runs,
    stageIds: reader.stageIds(wants.stageIds),
    clients: reader.clients(wants.clientIds),
    idempotentAnswers: reader.idempotentAnswers(wants.idempotencyKeys),
    revokedTokens: reader.revokedTokens(wants.tokenHashes),
    ...(wants.access ? { access: loadAccess(database, accountId, wants.access) } : {}),
  };
}

/** The maps of the runs to be deleted come along. */
function mapIdsOf(wants: Wants, runs: RunRow[]): string[] {
  const toDelete = new Set(wants.deletedRunIds);
  return [...wants.mapIds, ...runs.filter((run) => toDelete.has(run.id)).map((run) => run.map_id)];
}

const runRowColumns =
  'id, map_id, number, created_at, version, recording_session_id, fingerprint, made_map, map_then, stage_ids, record, steps';

/** The steps, which may be megabytes, are loaded only of runs that may be answered again. */
const runHead = runRowColumns.replace(/\bsteps$/, "'[]' AS steps");

export const newestRuns = `
  SELECT ${runHead} FROM runs
   WHERE account_id = ? AND map_id = ? AND record IS NOT NULL ORDER BY number DESC LIMIT ?`;

/** Each list of keys is one parameter, JSON text, so that each statement is prepared once whatever the number of keys. */
class Reader {
  readonly #database: Database;
  readonly #accountId: string;

  constructor(database: Database, accountId: string) {
    this.#database = database;
    this.#accountId = accountId;
  }

  maps(ids: string[]): MapDoc[] {
    const sql = 'SELECT record, stages FROM maps WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))';
    return this.#byKeys<MapText>(sql, ids).map(mapDoc);
  }

  runs(wants: Wants): RunRow[] {
    const rows = [
      ...this.#runsWhere(runHead, 'id IN (SELECT value FROM json_each(?))', [...wants.runIds, ...wants.deletedRunIds]),
    ];
    const toDelete = new Set(wants.deletedRunIds);
    const theirMaps = new Set(rows.filter((row) => toDelete.has(row.id)).map((row) => row.map_id));
    for (const mapId of theirMaps) rows.push(...this.#newestRuns(mapId, toDelete.size + 1));
    // Last, so that these stay.
    const ofSessions = 'recording_session_id IN (SELECT value FROM json_each(?))';
    rows.push(...this.#runsWhere(runRowColumns, ofSessions, wants.recordingSessionIds));
    return [...new Map(rows.map((row) => [row.id, row])).values()].map(runRow);
  }

  stageIds(keys: StageKey[]): StageKey[] {
    const sql = `
      SELECT map_id, id FROM stage_ids
       WHERE account_id = ?
         AND (map_id, id) IN (SELECT value ->> 'map_id', value ->> 'id' FROM json_each(?))`;
    return this.#byKeys<StageKey>(sql, keys).map((row) => ({ ...row }));
  }

  clients(ids: string[]): ClientRow[] {
    const sql = `
      SELECT client_id, version, last_seq, acked_seq, chain,
             (SELECT json_group_array(seq) FROM rejections
               WHERE account_id = ?1 AND client_id = sync_clients.client_id) AS rejected
        FROM sync_clients WHERE account_id = ?1 AND client_id IN (SELECT value FROM json_each(?2))`;
    return this.#byKeys<ClientColumns>(sql, ids).map(clientRow);
  }

  idempotentAnswers(keys: string[]): IdempotentAnswer[] {
    const sql = `
      SELECT key, fingerprint, status, headers, body, created_at
        FROM idempotency_keys WHERE account_id = ? AND key IN (SELECT value FROM json_each(?))`;
    const rows = this.#byKeys<Omit<IdempotentAnswer, 'headers' | 'body'> & { headers: string; body: string }>(
      sql,
      keys,
    );
    return rows.map((row) => ({ ...row, headers: JSON.parse(row.headers), body: JSON.parse(row.body) }));
  }

  revokedTokens(hashes: string[]): string[] {
    const sql = `
      SELECT token_hash FROM tokens
       WHERE account_id = ? AND revoked_at IS NOT NULL AND token_hash IN (SELECT value FROM json_each(?))`;
    return this.#byKeys<{ token_hash: string }>(sql, hashes).map((row) => row.token_hash);
  }

  #runsWhere(columns: string, condition: string, keys: unknown[]): RunRowText[] {
    return this.#byKeys(`SELECT ${columns} FROM runs WHERE account_id = ? AND ${condition}`, keys);
  }

  #newestRuns(mapId: string, count: number): RunRowText[] {
    return this.#database.all(newestRuns, this.#accountId, mapId, count);
  }

  #byKeys<Row>(sql: string, keys: unknown[]): Row[] {
    return keys.length === 0 ? [] : this.#database.all<Row>(sql, this.#accountId, JSON.stringify(keys));
  }
}
