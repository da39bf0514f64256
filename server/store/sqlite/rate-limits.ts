/**
 * Counts requests in a file beside the database. Writes do not wait for fsync, so counting takes microseconds. If a
 * power cut damages the file, the next start deletes it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CountedRequest, SharedRequestCounts, RequestWindow } from '../limits/shared-counts.ts';
import { inTransaction, openDatabase, type Database } from './database.ts';

/** Limits the wait for the write lock of another process. The wait blocks the event loop. */
const countBusyMsMax = 50;

const addRequestSql = `
  INSERT INTO rate_limits AS counted (key, points, expire) VALUES (?, 1, ?)
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN counted.expire <= ? THEN 1 ELSE counted.points + 1 END,
    expire = CASE WHEN counted.expire <= ? THEN excluded.expire ELSE min(counted.expire, excluded.expire) END
  RETURNING points, expire`;

export async function openSqliteCounts(dataDir: string): Promise<SharedRequestCounts> {
  const file = join(dataDir, 'limits.db');
  const database = await openCountsDatabase(file).catch(() => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return openCountsDatabase(file);
  });
  return {
    add: createBatchedAdd(database),
    async refund(key) {
      database.run('UPDATE rate_limits SET points = points - 1 WHERE key = ? AND points > 0', key);
    },
    async sweep(now) {
      database.run('DELETE FROM rate_limits WHERE expire < ?', now);
    },
    close: async () => database.close(),
  };
}

async function openCountsDatabase(file: string): Promise<Database> {
  const database = await openDatabase(file, { busyMsMax: countBusyMsMax, synchronous: 'OFF' });
  try {
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

interface WaitingRequest {
  request: CountedRequest;
  resolve: (count: RequestWindow) => void;
  reject: (error: unknown) => void;
}

/** Counts all requests of one turn of the event loop in one transaction. */
function createBatchedAdd(database: Database): SharedRequestCounts['add'] {
  let waiting: WaitingRequest[] = [];
  const countWaiting = () => {
    const group = waiting;
    waiting = [];
    try {
      const counts = inTransaction(database, () => group.map(({ request }) => addRequest(database, request)));
      for (const [index, { resolve }] of group.entries()) resolve(counts[index]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  return (request) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(countWaiting);
      waiting.push({ request, resolve, reject });
    });
}

function addRequest(database: Database, { key, now, endsAt }: CountedRequest): RequestWindow {
  const row = database.get<{ points: number; expire: number }>(addRequestSql, key, endsAt, now, now)!;
  return { requests: row.points, endsAt: row.expire };
}
