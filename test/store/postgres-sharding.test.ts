/** What makes the schema and the statements fit for a database that is sharded by account. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import type { Store, TransactionWants } from '../../server/store/store.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../postgres.ts';
import { deviceRow, instant, mapDoc, newAccount, nothing, runRow, tokenRow, write } from './records.ts';

const notTenants = ['client_owners', 'migrations', 'pairing_codes', 'pairing_failures', 'rate_limits', 'store_info'];

describe.skipIf(!postgresAtHand())('PostgreSQL, sharded by account', () => {
  let postgres: TestPostgres | undefined;
  let store: Store;
  let client: pg.Client;
  let sent: string[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    const url = await postgres!.freshDatabase();
    store = await openPostgresStore({ url, onStatement: (text) => sent.push(text) });
    client = new pg.Client({ connectionString: url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await store?.close();
    await postgres?.stop();
  });
  const column = async (sql: string) => (await client.query<{ it: string }>(sql)).rows.map(({ it }) => it);
  const tenantTables = async () =>
    (await column("SELECT tablename AS it FROM pg_tables WHERE schemaname = 'public'")).filter(
      (table) => !notTenants.includes(table),
    );

  /** Every kind of write and every key that a transaction may want. */
  const busyTransaction = async (accountId: string, rows: number) => {
    const many = Array.from({ length: rows }, (_, index) => index + 1);
    const maps = many.map(() => mapDoc(0));
    const clients = many.map(() => randomUUID());
    const devices = many.map(() => randomUUID());
    const wants: TransactionWants = {
      mapIds: maps.map(({ id }) => id),
      runIds: many,
      deletedRunIds: many,
      recordingSessionIds: many.map(String),
      stageIds: many.map((id) => ({ map_id: maps[0]!.id, id })),
      clientIds: clients,
      idempotencyKeys: many.map(String),
      access: { deviceIds: devices, keyIds: devices },
    };
    const made = (next: () => number) => ({
      maps: maps.map((map) => ({ ...map, version: next() })),
      runs: many.map((number) => runRow(next(), { mapId: maps[0]!.id, number })),
      stageIds: wants.stageIds,
      clients: clients.map((client_id) => ({ client_id, version: next(), last_seq: 1, acked_seq: 0, rejections: [] })),
      pushAnswers: clients.map((client_id) => ({ client_id, answers: [{ seq: 1, status: 'applied' as const }] })),
      idempotentAnswers: wants.idempotencyKeys.map((key) => ({
        key,
        fingerprint: 'f',
        status: 200,
        headers: {},
        body: null,
        created_at: instant,
      })),
      access: { devices: devices.map((id) => deviceRow(id)), tokens: devices.map(tokenRow(accountId)), revocations: 1 },
    });
    await write(store, accountId, made, wants);
    return { maps, clients };
  };

  test('[STORE-29] a transaction sends the same statements however many rows it reads and writes', async () => {
    // The announcement of an earlier commit may come in between.
    const transactionSent = () => sent.filter((text) => !text.includes('pg_notify'));
    const statementsFor = async (rows: number) => {
      const accountId = await newAccount(store);
      sent = [];
      await busyTransaction(accountId, rows);
      return transactionSent();
    };
    const few = await statementsFor(1);
    expect(await statementsFor(300)).toEqual(few);
    expect(few.length).toBeLessThanOrEqual(23);

    const accountId = await newAccount(store);
    sent = [];
    await store.transact(accountId, nothing, () => ({ result: undefined }));
    expect(transactionSent()).toEqual([
      'BEGIN ISOLATION LEVEL READ COMMITTED',
      expect.stringMatching(/FOR UPDATE$/),
      'COMMIT',
    ]);
  });

  test("[STORE-30] each statement on a tenant's tables names the account, for each table that it touches", async () => {
    sent = [];
    const accountId = await newAccount(store);
    const { maps, clients } = await busyTransaction(accountId, 1);
    await store.account(accountId);
    await store.updateAccount(accountId, { name: 'Sharded' });
    await store.token({ accountId, tokenHash: 'x' });
    await store.map(accountId, maps[0]!.id);
    await store.maps(accountId, { deleted: false, limit: 1 });
    await store.run(accountId, 1);
    await store.runs(accountId, { mapId: maps[0]!.id, limit: 1 });
    await store.runsById(accountId, [1]);
    await store.changes(accountId, { after: 0, limit: 1, kinds: ['map', 'run'], clientId: clients[0]! });
    await store.pushAnswers(accountId, { clientId: clients[0]!, from: 1, to: 1 });
    await store.createToken(tokenRow(accountId)(randomUUID()));
    await store.markTokenUsed({ accountId, tokenHash: 'x' }, instant);
    await store.keys(accountId, { limit: 1 });
    await store.devices(accountId, { limit: 1, before: randomUUID() });

    const tables = new RegExp(String.raw`\b(FROM|JOIN|INTO|UPDATE)\s+(${(await tenantTables()).join('|')})\b`, 'g');
    const account = /account_id = \$1(?!\d)|VALUES \(\$1,|SELECT \$1::uuid/g;
    const touched = new Set<string>();
    for (const text of new Set(sent)) {
      const found = [...text.matchAll(tables)].map(([, , table]) => table!);
      for (const table of found) touched.add(table);
      expect([...text.matchAll(account)].length, text).toBeGreaterThanOrEqual(found.length);
    }
    expect([...touched].toSorted()).toEqual((await tenantTables()).toSorted());
  });

  test('[STORE-30] what is looked up before its account is known names its own key, and no other table', async () => {
    sent = [];
    const code = { code_hash: 'c', account_id: randomUUID(), device_kind: 'phone' as const, expires_at: instant };
    await store.createPairingCode(code);
    await store.claimPairingCode({ ...code, device_id: randomUUID(), now: instant });
    for (let time = 0; time < 2; time++) {
      await store.countFailure({ subject: 's', at: time, windowMs: 10, failuresMax: 1 });
    }
    await store.forgiveFailure({ subject: 's', at: 0 });
    await store.claimClient(randomUUID(), { accountId: randomUUID(), deviceId: null });
    const keyOf: Record<string, string> = {
      pairing_codes: 'code_hash',
      pairing_failures: 'subject',
      client_owners: 'client_id',
    };
    const statements = [...new Set(sent)].filter((text) => !text.includes('pg_notify'));
    expect(statements).toHaveLength(7);
    const others = [...(await tenantTables()), 'store_info', 'migrations'];
    for (const text of statements) {
      const words = new Set(text.match(/\w+/g));
      const tables = Object.keys(keyOf).filter((table) => words.has(table));
      expect(tables, text).toHaveLength(1);
      expect(others.filter((table) => words.has(table))).toEqual([]);
      const key = keyOf[tables[0]!]!;
      expect(text).toMatch(new RegExp(String.raw`${key} = \$1(?!\d)|\(${key},.*VALUES \(\$1,`, 's'));
    }
  });

  test('[STORE-30] account_id leads every key of a tenant, and nothing in the schema needs a single machine', async () => {
    const leading = await column(`
      SELECT DISTINCT class.relname || ': ' || attribute.attname AS it
        FROM pg_index AS index
        JOIN pg_class AS class ON class.oid = index.indrelid
        JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid AND attribute.attnum = index.indkey[0]
       WHERE class.relnamespace = 'public'::regnamespace`);
    const tables = await tenantTables();
    expect(tables.length).toBeGreaterThan(7);
    expect(leading.filter((each) => !notTenants.some((table) => each.startsWith(table))).toSorted()).toEqual(
      tables.map((table) => `${table}: account_id`).toSorted(),
    );
    expect(await column('SELECT tgname AS it FROM pg_trigger')).toEqual([]);
    expect(await column("SELECT relname AS it FROM pg_class WHERE relkind = 'S'")).toEqual([]);
    expect(await column("SELECT conname AS it FROM pg_constraint WHERE contype = 'f'")).toEqual([]);
  });
});
