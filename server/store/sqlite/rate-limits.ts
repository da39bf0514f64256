/**
 * Rate limits in a file of their own beside the records: it is never synced, so that counting costs microseconds, and
 * whatever a power cut leaves of it may be thrown away.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { RateLimiterSQLite } from 'rate-limiter-flexible';
import { limiterOptions, standingOf, type RateLimit, type RateLimits } from '../rate-limits.ts';
import { openDatabase, type Database, type Value } from './database.ts';

/** A count that cannot be had soon is made in memory: the event loop stands still while it waits. */
const busyMsMax = 50;
const sweepMs = 60_000;

export async function openSqliteRateLimits(dataDir: string, limit: RateLimit): Promise<RateLimits> {
  const file = join(dataDir, 'limits.db');
  const database = await openCounts(file).catch(() => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return openCounts(file);
  });
  const limiter = new RateLimiterSQLite({
    ...limiterOptions(limit),
    storeClient: gathering(database),
    storeType: 'sqlite3',
    tableName: 'rate_limits',
  });
  const sweep = setInterval(() => {
    try {
      database.run('DELETE FROM rate_limits WHERE expire < ?', Date.now());
    } catch {
      // The next sweep comes.
    }
  }, sweepMs).unref();
  return {
    limit,
    count: (key) => standingOf({ limiter, store: limiter, limit }, key),
    refund: (key) => void limiter.reward(key).catch(() => {}),
    async close() {
      clearInterval(sweep);
      database.close();
    },
  };
}

async function openCounts(file: string): Promise<Database> {
  const database = await openDatabase(file, { busyMsMax, synchronous: 'OFF' });
  try {
    // As RateLimiterSQLite would make it.
    database.exec(`
      CREATE TABLE IF NOT EXISTS rate_limits (
        key TEXT PRIMARY KEY, points INTEGER NOT NULL DEFAULT 0, expire INTEGER
      ) STRICT, WITHOUT ROWID`);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/**
 * What the limiter asks of a connection of the package sqlite3. Requests that arrive in the same turn of the event loop are
 * counted in one transaction.
 */
function gathering(database: Database) {
  let waiting: Waiting[] = [];
  const countWaiting = () => {
    const group = waiting;
    waiting = [];
    try {
      database.run('BEGIN IMMEDIATE');
      const rows = group.map(({ sql, values }) => database.get(sql, ...values));
      database.run('COMMIT');
      group.forEach(({ done }, index) => done(null, rows[index]));
    } catch (error) {
      rollbackQuietly(database);
      for (const { done } of group) done(error);
    }
  };
  return {
    serialize: (work: () => void) => work(),
    // Its savepoints; here the whole group is one.
    run: (_sql: string, done: Done) => done(null),
    get(sql: string, values: Value[], done: Done) {
      if (waiting.length === 0) setImmediate(countWaiting);
      waiting.push({ sql, values, done });
    },
  };
}

type Done = (error: unknown, row?: unknown) => void;

interface Waiting {
  sql: string;
  values: Value[];
  done: Done;
}

function rollbackQuietly(database: Database): void {
  try {
    database.rollback();
  } catch {
    // Each process counts for itself meanwhile.
  }
}
