/** The cost of a recording on the server without HTTP, compared with a bare insert of it into the same database. */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { operatorActor } from '../../server/core/caller.ts';
import { createAccount } from '../../server/auth/new-account.ts';
import { createAccountQueue } from '../../server/mutate/account-queue.ts';
import { systemWorld } from '../../server/core/world.ts';
import { openStore } from '../../server/store/open-store.ts';
import { openDatabase } from '../../server/store/sqlite/database.ts';
import { createClientOwners } from '../../server/sync/client-owners.ts';
import { push } from '../../server/sync/push.ts';
import type { Store } from '../../server/store/store.ts';
import { ratioOf, measureSecs, spreadOf, takeTurns } from './measure.ts';
import { BenchDevice } from './recordings.ts';
import type { Setting } from './setting.ts';
import { spreadText, type FigureTable } from './table.ts';

const batchSizes = [1, 100];

export async function measureTransact({ smoke, dataDir, postgresUrl }: Setting): Promise<FigureTable> {
  const rows = await measureOnDatabase(await openEmbedded(dataDir('transact')), smoke);
  if (postgresUrl) rows.push(...(await measureOnDatabase(await openPostgres(await postgresUrl()), smoke)));
  return {
    title: 'Transact',
    about:
      'Recordings applied a second by the code behind the push (load, apply, save the run, the map, the client and the answers),\n' +
      'beside bare inserts of the recordings as sent into a table of that database: the same batches, one commit each, the same\n' +
      'durability. The bare inserts of a batch go in one statement on PostgreSQL.',
    head: ['database', 'batch', 'applied/s', 'bare inserts/s', 'bare to applied'],
    rows,
  };
}

interface StoreToMeasure {
  database: string;
  store: Store;
  /** Inserts all documents in one commit. */
  insertBare(documents: { id: number; doc: string }[]): Promise<void>;
  close(): Promise<void>;
}

async function measureOnDatabase(subject: StoreToMeasure, smoke: boolean): Promise<string[][]> {
  const rows: string[][] = [];
  for (const size of batchSizes) {
    const batches = smoke ? 3 : Math.ceil(200 / Math.sqrt(size));
    const samples = await takeTurns(
      {
        applied: () => measureApplied(subject, { size, batches }),
        bare: () => measureBareInserts(subject, { size, batches }),
      },
      { rounds: smoke ? 2 : 9 },
    );
    const cost = spreadText(ratioOf(samples.bare, samples.applied));
    rows.push([
      subject.database,
      String(size),
      spreadText(spreadOf(samples.applied)),
      spreadText(spreadOf(samples.bare)),
      cost,
    ]);
  }
  await subject.close();
  return rows;
}

interface PushLoad {
  size: number;
  batches: number;
}

async function measureApplied({ store }: StoreToMeasure, { size, batches }: PushLoad): Promise<number> {
  const world = { now: Date.now, randomBytes };
  const services = { store, world, queue: createAccountQueue(store, world), owners: createClientOwners(store) };
  const { account } = await createAccount({ store, world }, { name: 'Bench', plan: 'team' });
  const scopes = ['record' as const, 'write' as const];
  const caller = { accountId: account.id, deviceId: null, tokenHash: '', actor: operatorActor, scopes };
  const device = new BenchDevice();
  const requests = [device.mapBatch(), ...Array.from({ length: batches }, () => device.recordings(size))];
  await push(services, caller, requests.shift()!);
  const secs = await measureSecs(async () => {
    for (const request of requests) {
      const outcome = await push(services, caller, request);
      if (!outcome.ok || outcome.response.results.some(({ status }) => status !== 'applied')) {
        throw new Error(`refused: ${JSON.stringify(outcome)}`);
      }
    }
  });
  return (size * batches) / secs;
}

let bareId = 0;

async function measureBareInserts({ insertBare }: StoreToMeasure, { size, batches }: PushLoad): Promise<number> {
  const device = new BenchDevice();
  const groups = Array.from({ length: batches }, () =>
    device.recordings(size).mutations.map(({ args }) => ({ id: ++bareId, doc: JSON.stringify(args) })),
  );
  const secs = await measureSecs(async () => {
    for (const group of groups) await insertBare(group);
  });
  return (size * batches) / secs;
}

async function openEmbedded(dataDir: string): Promise<StoreToMeasure> {
  const store = await openStore({ dataDir, world: systemWorld });
  const database = await openDatabase(join(dataDir, 'bare.db'), { busyMsMax: 5_000, synchronous: 'FULL' });
  database.exec(
    'CREATE TABLE bare (account_id TEXT, id INTEGER, doc TEXT, PRIMARY KEY (account_id, id)) STRICT, WITHOUT ROWID',
  );
  const account = randomUUID();
  return {
    database: 'embedded',
    store,
    async insertBare(documents) {
      database.run('BEGIN IMMEDIATE');
      for (const { id, doc } of documents) database.run('INSERT INTO bare VALUES (?, ?, ?)', account, id, doc);
      database.run('COMMIT');
    },
    async close() {
      database.close();
      await store.close();
    },
  };
}

async function openPostgres(databaseUrl: string): Promise<StoreToMeasure> {
  const store = await openStore({ databaseUrl, dataDir: '', world: systemWorld });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TABLE bare (account_id uuid, id bigint, doc jsonb, PRIMARY KEY (account_id, id))');
  const account = randomUUID();
  const text = 'INSERT INTO bare SELECT $1, * FROM unnest($2::bigint[], $3::jsonb[])';
  return {
    database: 'PostgreSQL',
    store,
    async insertBare(documents) {
      const values = [account, documents.map(({ id }) => id), documents.map(({ doc }) => doc)];
      await client.query({ name: 'bare', text, values });
    },
    async close() {
      await client.end();
      await store.close();
    },
  };
}
