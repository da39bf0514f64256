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
    storeClient: betterSqlite(database),
    storeType: 'better-sqlite3',
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
    count: (key) => standingOf(limiter, key),
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

/** What the limiter asks of a better-sqlite3 connection. Its statement is atomic by itself. */
function betterSqlite(database: Database) {
  return {
    transaction: (work: () => unknown) => work,
    prepare: (sql: string) => ({ get: (...values: Value[]) => database.get(sql, ...values) }),
  };
}
