/**
 * A read transaction on a connection of its own: the others of this process go on writing meanwhile, and the log of the
 * database grows until the snapshot ends.
 */
import { StoreUnavailable } from '../store.ts';
import type { Database, SqlValue } from '../sqlite/database.ts';
import {
  parseRunWithMapName,
  parseSummary,
  type RunSnapshot,
  type RunWithMapNameText,
  type SummaryText,
} from './run-snapshot.ts';
import { createSnapshotChain } from './snapshot-chain.ts';
import { snapshotMsMax, snapshotTimeout } from './snapshot-timeout.ts';

const summaryColumns = `
  runs.id, runs.map_id, runs.number, runs.created_at, runs.record ->> 'started_at' AS started_at,
  runs.record ->> 'step_count' AS step_count, runs.bytes, maps.deleted AS map_deleted`;

// CROSS JOIN keeps SQLite from reading the maps first, and so the order of the index.
const summariesOfAccountSql = `
  SELECT ${summaryColumns}
    FROM runs CROSS JOIN maps ON maps.account_id = ?1 AND maps.id = runs.map_id
   WHERE runs.account_id = ?1 AND runs.record IS NOT NULL AND (runs.created_at, runs.id) > (?2, ?3)
   ORDER BY runs.created_at, runs.id LIMIT ?4`;

const summariesOfMapSql = `
  SELECT ${summaryColumns}
    FROM runs CROSS JOIN maps ON maps.account_id = ?1 AND maps.id = ?2
   WHERE runs.account_id = ?1 AND runs.map_id = ?2 AND runs.number > ?3 AND runs.record IS NOT NULL
   ORDER BY runs.number LIMIT ?4`;

const summariesSql = `
  SELECT ${summaryColumns}
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
 * Opens a connection for each snapshot that is open at once, and uses it again: Node keeps the files of a closed connection
 * open until its statements are collected.
 */
export function openSnapshotConnections(openConnection: () => Promise<Database>): SnapshotConnections {
  const idle: Database[] = [];
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  const chain = createSnapshotChain();

  const run = async <Result>(
    accountId: string,
    work: (snapshot: RunSnapshot) => Promise<Result>,
    msMax: number,
  ): Promise<Result> => {
    await chain.enter();
    let database: Database | undefined;
    try {
      database = idle.pop() ?? (await openConnection());
      database.exec('BEGIN');
      return await work(snapshotOf(database, accountId, snapshotTimeout(msMax)));
    } finally {
      const connection = database && endSnapshot(database);
      try {
        chain.leave(() => connection && copyLogIntoFile(connection));
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

/** Returns undefined, and closes the connection, if the disk fails. A later snapshot opens another one. */
function endSnapshot(database: Database): Database | undefined {
  try {
    database.rollback();
    return database;
  } catch {
    database.close();
    return undefined;
  }
}

/** The next commit begins the log anew. Commits do the same from time to time, and another process may be at it. */
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
      query<SummaryText>(summariesOfAccountSql, after.created_at, after.id, limit).map(parseSummary),
    runsOfMap: async ({ mapId, after = 0, limit }) =>
      query<SummaryText>(summariesOfMapSql, mapId, after, limit).map(parseSummary),
    summaries: async (ids) => query<SummaryText>(summariesSql, JSON.stringify(ids)).map(parseSummary),
    load: async (ids) => query<RunWithMapNameText>(runsWithMapNamesSql, JSON.stringify(ids)).map(parseRunWithMapName),
  };
}
