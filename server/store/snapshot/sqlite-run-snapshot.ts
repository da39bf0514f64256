/**
 * Reads snapshots in read transactions on connections of their own. The other connections of this process go on writing
 * meanwhile, and the write-ahead log grows until the snapshot ends.
 */
import { StoreUnavailable } from '../store.ts';
import type { Database, SqlValue } from '../sqlite/database.ts';
import {
  parseRunWithMapName,
  parseRunSummary,
  type RunSnapshot,
  type RunWithMapNameColumns,
  type RunSummaryColumns,
} from './run-snapshot.ts';
import { createSnapshotGate } from './snapshot-gate.ts';
import { snapshotMsMax, createSnapshotTimeout } from './snapshot-timeout.ts';

const summaryColumnsSql = `
  runs.id, runs.map_id, runs.number, runs.created_at, runs.record ->> 'started_at' AS started_at,
  runs.record ->> 'step_count' AS step_count, runs.bytes, maps.deleted AS map_deleted`;

// CROSS JOIN keeps SQLite from reading the maps first, which would lose the order of the index on runs.
const summariesOfAccountSql = `
  SELECT ${summaryColumnsSql}
    FROM runs CROSS JOIN maps ON maps.account_id = ?1 AND maps.id = runs.map_id
   WHERE runs.account_id = ?1 AND runs.record IS NOT NULL AND (runs.created_at, runs.id) > (?2, ?3)
   ORDER BY runs.created_at, runs.id LIMIT ?4`;

const summariesOfMapSql = `
  SELECT ${summaryColumnsSql}
    FROM runs CROSS JOIN maps ON maps.account_id = ?1 AND maps.id = ?2
   WHERE runs.account_id = ?1 AND runs.map_id = ?2 AND runs.number > ?3 AND runs.record IS NOT NULL
   ORDER BY runs.number LIMIT ?4`;

const summariesSql = `
  SELECT ${summaryColumnsSql}
    FROM runs CROSS JOIN maps ON maps.account_id = ?1 AND maps.id = runs.map_id
   WHERE runs.account_id = ?1 AND runs.id IN (SELECT value FROM json_each(?2)) AND runs.record IS NOT NULL`;

const runsWithMapNamesSql = `
  SELECT runs.record, runs.steps, maps.record ->> 'name' AS map_name
    FROM runs CROSS JOIN maps ON maps.account_id = ?1 AND maps.id = runs.map_id
   WHERE runs.account_id = ?1 AND runs.id IN (SELECT value FROM json_each(?2)) AND runs.record IS NOT NULL`;

export interface SnapshotConnections {
  withRunSnapshot<Result>(
    accountId: string,
    work: (snapshot: RunSnapshot) => Promise<Result>,
    msMax?: number,
  ): Promise<Result>;
  /** Waits for the snapshots, then closes the connections. */
  close(): Promise<void>;
}

/**
 * Lends each open snapshot a connection of its own. Connections are reused, since Node keeps the files of a closed
 * connection open until the garbage collector frees its statements.
 */
export function openSnapshotConnections(openConnection: () => Promise<Database>): SnapshotConnections {
  const idle: Database[] = [];
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  const gate = createSnapshotGate();

  const run = async <Result>(
    accountId: string,
    work: (snapshot: RunSnapshot) => Promise<Result>,
    msMax: number,
  ): Promise<Result> => {
    await gate.enter();
    let database: Database | undefined;
    try {
      database = idle.pop() ?? (await openConnection());
      database.exec('BEGIN');
      return await work(snapshotOf(database, accountId, createSnapshotTimeout(msMax)));
    } finally {
      const connection = database && endSnapshot(database);
      try {
        gate.leave(() => connection && copyLogIntoFile(connection));
      } finally {
        if (isClosed) connection?.close();
        else if (connection) idle.push(connection);
      }
    }
  };

  return {
    withRunSnapshot(accountId, work, msMax = snapshotMsMax) {
      const done = run(accountId, work, msMax);
      underWay.add(done);
      const forget = () => underWay.delete(done);
      done.then(forget, forget);
      return done;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      for (const database of idle) database.close();
    },
  };
}

/**
 * Ends the snapshot and returns the connection. If the disk fails, closes the connection and returns undefined. A later
 * snapshot then opens a new connection.
 */
function endSnapshot(database: Database): Database | undefined {
  try {
    database.rollback();
    return database;
  } catch {
    database.close();
    return undefined;
  }
}

/**
 * Copies the write-ahead log into the database file, so that the next commit overwrites the log from its beginning. It
 * does no harm if a commit or another process copies the log at the same time.
 */
function copyLogIntoFile(database: Database): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

function snapshotOf(database: Database, accountId: string, refuseIfOld: () => void): RunSnapshot {
  const query = <Row>(sql: string, ...values: SqlValue[]): Row[] => {
    refuseIfOld();
    return database.all<Row>(sql, accountId, ...values);
  };
  return {
    runsOfAccount: async ({ after = { created_at: '', id: 0 }, limit }) =>
      query<RunSummaryColumns>(summariesOfAccountSql, after.created_at, after.id, limit).map(parseRunSummary),
    runsOfMap: async ({ mapId, after = 0, limit }) =>
      query<RunSummaryColumns>(summariesOfMapSql, mapId, after, limit).map(parseRunSummary),
    summaries: async (ids) => query<RunSummaryColumns>(summariesSql, JSON.stringify(ids)).map(parseRunSummary),
    load: async (ids) =>
      query<RunWithMapNameColumns>(runsWithMapNamesSql, JSON.stringify(ids)).map(parseRunWithMapName),
  };
}
