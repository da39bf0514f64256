/** A migrated database still holds the rows of an earlier version. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { readMigrations } from '../../../server/store/migrations.ts';
import { migrations } from '../../../server/store/postgres/migrate.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../server/store/store.ts';
import { postgresAtHand, startPostgres } from '../../postgres.ts';
import { instant, mapDoc, runRow } from './records.ts';

const accountId = randomUUID();
const clientId = randomUUID();
const detail = 'quotes "seq":3,"error":{} and \u0000\ud800"\\u0000';
const rejections = [4, 2 ** 53 - 1].map((seq) => ({
  seq,
  error: { type: 't', title: 't', status: 422, detail, code: 'validation_failed' as const },
}));
const map = mapDoc(1);
const run = runRow(2, { mapId: map.id, number: 1 });

/** Rows as the first version wrote them; columns that are not named take their default. */
const rowsByTable = (() => {
  const account_id = accountId;
  const { stages, created_version: _notYet, ...record } = map;
  const { steps, ...runRecord } = run.doc!;
  const { doc: _doc, bytes: _bytes, ...columns } = run;
  const listed = { deleted: 0, archived: 0, state: 'current', industry: 'Steel', created_version: 1 };
  return {
    accounts: { account_id, name: 'Works', plan: 'team', additional_seats: 0, created_at: instant, version: 3 },
    maps: { account_id, id: map.id, version: 1, ...listed, record, stages },
    runs: { account_id, ...columns, made_map: 0, record: runRecord, steps },
    sync_clients: { account_id, client_id: clientId, version: 3, last_seq: 9, acked_seq: 3, rejections },
  };
})();

function rowsToInsert(): { table: string; columns: string[]; values: (string | number)[] }[] {
  return Object.entries(rowsByTable).map(([table, row]) => ({
    table,
    columns: Object.keys(row),
    values: Object.values(row).map((value) => (typeof value === 'object' ? JSON.stringify(value) : value)),
  }));
}

async function expectRowsKept(store: Store): Promise<void> {
  expect(await store.map(accountId, map.id)).toEqual(map);
  expect(await store.run(accountId, run.id)).toEqual(run.doc);
  const { changes } = await store.changes(accountId, { after: 2, limit: 9, kinds: ['map'], clientId });
  expect(changes).toMatchObject([{ kind: 'client', version: 3, doc: { last_seq: 9, rejections } }]);
  await store.close();
}

test('[STORE-39] what an earlier version wrote to SQLite is there after the migration', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gemba-sqlite-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  mkdirSync(dataDir, { recursive: true });
  const [first] = readMigrations(join(import.meta.dirname, '../../../server/store/sqlite/migrations'));
  const database = await openDatabase(join(dataDir, 'gemba.db'), { busyMsMax: 0, synchronous: 'FULL' });
  database.exec(`${first!.sql}; PRAGMA user_version = 1`);
  for (const { table, columns, values } of rowsToInsert()) {
    database.run(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`, ...values);
  }
  database.close();
  await expectRowsKept(await openSqliteStore({ dataDir }));
});

test.skipIf(!postgresAtHand())(
  '[STORE-39] what an earlier version wrote to PostgreSQL is there after the migration',
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres!.stop());
    const url = await postgres!.createDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL)');
    await client.query(migrations[0]!.sql);
    await client.query('INSERT INTO migrations VALUES (1, $1)', [migrations[0]!.name]);
    for (const { table, columns, values } of rowsToInsert()) {
      await client.query(`INSERT INTO ${table} (${columns}) VALUES (${columns.map((_, i) => `$${i + 1}`)})`, values);
    }
    await client.end();
    await expectRowsKept(await openPostgresStore({ url }));
  },
);
