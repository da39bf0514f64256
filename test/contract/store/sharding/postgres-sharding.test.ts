/** The PostgreSQL schema and the driver's statements work on a database that is sharded by account. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../../../server/store/postgres/postgres-store.ts';
import type { Store } from '../../../../server/store/store.ts';
import type { TransactionReadSet } from '../../../../server/store/transaction.ts';
import { onOneNode } from '../../../citus.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../../postgres.ts';
import { readShardKeys } from './shard-keys.ts';
import { immutableFunctions } from './write-lint.ts';
import { deviceRow, instant, mapDoc, newAccount, nothing, runRow, tokenRow, write } from '../records.ts';

describe.skipIf(!postgresAtHand())('PostgreSQL, sharded by account', () => {
  let postgres: TestPostgres | undefined;
  let store: Store;
  let client: pg.Client;
  let sent: string[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    const url = await postgres!.createDatabase();
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
  /** Runs a transaction with every kind of write and every kind of key in its read set. */
  const busyTransaction = async (accountId: string, rows: number) => {
    const error = { type: 't', title: 't', status: 409, detail: 'd', code: 'id_taken' as const };
    const many = Array.from({ length: rows }, (_, index) => index + 1);
    const maps = many.map(() => mapDoc(0));
    const clients = many.map(() => randomUUID());
    const devices = many.map(() => randomUUID());
    const readSet: TransactionReadSet = {
      mapIds: maps.map(({ id }) => id),
      runIds: many,
      runIdsToChange: [],
      runIdsToDelete: many,
      recordingSessionIds: many.map(String),
      deviceMadeStageIds: many.map((id) => ({ map_id: maps[0]!.id, id })),
      clientIds: clients,
      mutationDigests: many.map(String),
      idempotencyKeys: many.map(String),
      tokenHashes: many.map(String),
      credentials: { deviceIds: devices, keyIds: devices, creators: devices.map((id) => ({ kind: 'device', id })) },
    };
    const made = (next: () => number) => ({
      maps: maps.map((map) => ({ ...map, version: next() })),
      runs: many.map((number) => runRow(next(), { mapId: maps[0]!.id, number })),
      takenStageIds: readSet.deviceMadeStageIds,
      clients: clients.map((client_id) => ({
        client_id,
        version: next(),
        last_seq: 1,
        acked_seq: 0,
        device_id: null,
        seen_at: null,
        chain: '',
        rejectedSeqs: [],
        newRejections: [{ seq: 1, error }],
      })),
      pushAnswers: clients.map((client_id) => ({ client_id, answers: [{ seq: 1, status: 'applied' as const }] })),
      idempotentReplies: readSet.idempotencyKeys.map((key) => ({
        key,
        fingerprint: 'f',
        status: 200,
        headers: {},
        body: null,
        created_at: instant,
        keys_before: 0,
        bytes_before: 0,
      })),
      keysForgottenBefore: instant,
      credentials: {
        devices: devices.map((id) => deviceRow(id)),
        tokens: devices.map(tokenRow(accountId)),
        revocations: 1,
      },
    });
    await write(store, accountId, made, readSet);
    return { maps, clients };
  };

  test('[STORE-29] [PG-26] a transaction sends the same statements however many rows it reads and writes', async () => {
    // The poke of an earlier commit may come in between.
    const transactionSent = () => sent.filter((text) => !text.includes('pg_notify'));
    const statementsFor = async (rows: number) => {
      const accountId = await newAccount(store);
      sent = [];
      await busyTransaction(accountId, rows);
      return transactionSent();
    };
    const few = await statementsFor(1);
    expect(await statementsFor(300)).toEqual(few);
    expect(few.length).toBeLessThanOrEqual(30);

    const accountId = await newAccount(store);
    sent = [];
    await store.transact(accountId, nothing, () => ({ result: undefined }));
    expect(transactionSent()).toEqual([
      'BEGIN ISOLATION LEVEL READ COMMITTED',
      expect.stringMatching(/^UPDATE accounts SET version = version WHERE account_id = \$1 RETURNING /),
      'COMMIT',
    ]);
  });

  test('[PG-24] the catalog says of each function that a write may call that it is immutable', async () => {
    const immutable = await column("SELECT DISTINCT proname AS it FROM pg_proc WHERE provolatile = 'i'");
    expect([...immutableFunctions].filter((name) => !immutable.includes(name))).toEqual([]);
    const mutable = await column("SELECT DISTINCT proname AS it FROM pg_proc WHERE provolatile <> 'i'");
    expect([...immutableFunctions].filter((name) => mutable.includes(name))).toEqual([]);
  });

  test.skipIf(!onOneNode('the catalog of the schema'))(
    '[PG-2] [PG-10] the catalog knows the tables that the lint knows, and no others',
    async () => {
      const tables = await column("SELECT tablename AS it FROM pg_tables WHERE schemaname = 'public'");
      expect(tables.toSorted()).toEqual([...(await readShardKeys()).keys()].toSorted());
    },
  );

  test.skipIf(!onOneNode('the catalog of the schema'))(
    '[STORE-30] [STORE-55] [PG-2] the shard key leads every key, and nothing in the schema needs a single machine',
    async () => {
      const leading = await column(`
      SELECT DISTINCT class.relname || ': ' || attribute.attname AS it
        FROM pg_index AS index
        JOIN pg_class AS class ON class.oid = index.indrelid
        JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid AND attribute.attnum = index.indkey[0]
       WHERE class.relnamespace = 'public'::regnamespace AND (index.indisunique OR index.indisexclusion)`);
      const keys = [...(await readShardKeys())].filter(([, key]) => key !== null);
      expect(keys.filter(([, key]) => key === 'account_id').length).toBeGreaterThan(7);
      const whole = ['migrations: number', 'online_steps: name', 'server_keys: key_id', 'store_info: only_row'];
      expect(leading.toSorted()).toEqual([...keys.map(([table, key]) => `${table}: ${key}`), ...whole].toSorted());
      expect(await column('SELECT tgname AS it FROM pg_trigger')).toEqual([]);
      expect(await column("SELECT relname AS it FROM pg_class WHERE relkind = 'S'")).toEqual([]);
      expect(await column("SELECT conname AS it FROM pg_constraint WHERE contype = 'f'")).toEqual([]);
      expect(
        await column(`
        SELECT attname AS it FROM pg_attribute JOIN pg_class AS class ON class.oid = attrelid
         WHERE relnamespace = 'public'::regnamespace AND attidentity <> ''`),
      ).toEqual([]);
      expect(await column("SELECT proname AS it FROM pg_proc WHERE pronamespace = 'public'::regnamespace")).toEqual([]);
      const nullable = await column(`
      SELECT table_name AS it FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'account_id' AND is_nullable = 'YES'`);
      expect(nullable).toEqual([]);
    },
  );
});
