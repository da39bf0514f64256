/** Clients that read an export late, or not at all. */
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { databaseFileName } from '../../../server/store/sqlite/data-folder.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { download } from '../../contract/export/export-client.ts';
import { spoolCount } from '../../contract/export/spool-count.ts';
import { newApi, temporaryFolder, type Api } from '../../contract/fixture.ts';
import { bodyProgress, openReader, openStalledReader, recordLargeRuns } from '../../contract/export/slow-reader.ts';
import { postgresAtHand, startPostgres } from '../../postgres.ts';

interface Place {
  server: RunningServer;
  /** Tells how many transactions are open, or whether one is. */
  openTransactions(): Promise<number>;
  close(): Promise<void>;
}

async function onSqlite(): Promise<Place> {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  const database = await openDatabase(join(dataDir, databaseFileName), { busyMsMax: 0, synchronous: 'OFF' });
  const account = await newApi(server);
  return {
    server,
    async openTransactions() {
      // A checkpoint cannot move a commit that an open transaction does not see yet.
      await account.createMap();
      return database.one<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)').busy;
    },
    async close() {
      database.close();
      await server.close().finally(remove);
    },
  };
}

async function onPostgres(): Promise<Place> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres!.createDatabase();
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, databaseUrl, port: 0, host: '127.0.0.1' });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    server,
    async openTransactions() {
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
      );
      return Number(rows[0]!.count);
    },
    async close() {
      await client.end();
      await server.close().finally(remove);
      await postgres!.stop();
    },
  };
}

describe.each([
  ['SQLite', onSqlite, true],
  ['PostgreSQL', onPostgres, postgresAtHand()],
] as const)('on %s', (_, open, isAtHand) => {
  describe.skipIf(!isAtHand || process.platform !== 'linux')('a slow client', () => {
    let place: Place;
    let api: Api;
    beforeAll(async () => {
      place = await open();
      api = await newApi(place.server);
      await recordLargeRuns(api);
    });
    afterAll(() => place?.close());

    const expectNothingLeft = async () => {
      await expect.poll(() => place.openTransactions()).toBe(0);
      await expect.poll(() => spoolCount()).toBe(0);
    };

    test('[EXPORT-7] [EXPORT-10] clients that do not read hold files, but no transaction, and a third export waits', async () => {
      const readers = [await openStalledReader(api), await openStalledReader(api)];
      await expect.poll(() => place.openTransactions()).toBe(0);
      expect(spoolCount()).toBe(2);
      const third = await api.get('/api/v1/export/log.xes');
      expect([third.status, third.headers.get('Retry-After')]).toEqual([429, '5']);
      for (const { socket } of readers) socket.resume();
      const { promised } = bodyProgress(readers[0]!);
      await expect.poll(() => bodyProgress(readers[0]!).taken).toBe(promised);
      await expectNothingLeft();
      const { bytes } = await download(api, 'steps.csv');
      expect(readers[0]!.answer().endsWith(bytes.toString('latin1'))).toBe(true);
    });

    test('[EXPORT-8] clients that go away, before the first byte or after it, leave nothing behind', async () => {
      for (let clients = 0; clients < 3; clients += 1) {
        const hasty = await openReader(api);
        hasty.socket.destroy();
        const stalled = await openStalledReader(api);
        stalled.socket.destroy();
        await expectNothingLeft();
      }
      expect((await download(api, 'log.ocel.json')).status).toBe(200);
    });
  });
});
