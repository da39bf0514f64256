/** The driver's part for Citus, as far as PostgreSQL shows it without the extension. */
import { parse } from 'libpg-query';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../../../server/store/postgres/migrate.ts';
import { callsToDistribute, nodeRefusalText, placements } from '../../../../server/store/postgres/placements.ts';
import { openPostgresStore } from '../../../../server/store/postgres/postgres-store.ts';
import { onOneNode } from '../../../citus.ts';
import { postgresAtHand, startPostgres } from '../../../postgres.ts';
import { newAccount, write, mapDoc } from '../records.ts';
import { shardingProblems } from './sharding-lint.ts';
import { parseStatements } from './sql-tree.ts';
import { writeProblems } from './write-lint.ts';

/** These ran before any table was distributed, so they may do what Citus refuses on a distributed table. */
const migrationsBeforeCitus = 12;

test('[PG-28] each query of a migration is one statement, and together they are the file', async () => {
  for (const { name, sql, statements } of migrations) {
    const counts = await Promise.all(statements.map(async (text) => (await parse(text)).stmts?.length));
    expect([name, counts]).toEqual([name, statements.map(() => 1)]);
    expect([name, statements.length]).toEqual([name, (await parse(sql)).stmts?.length]);
  }
});

test('[PG-28] a later migration writes nothing that Citus refuses', async () => {
  for (const { number, statements } of migrations.filter((migration) => migration.number > migrationsBeforeCitus)) {
    for (const text of statements) {
      const [tree] = await parseStatements(text);
      expect([number, text, writeProblems(tree!)]).toEqual([number, text, []]);
    }
  }
});

test('[PG-29] each table of the schema has a place on Citus, the accounts first, and no other table has one', async () => {
  const trees = await Promise.all(migrations.flatMap(({ statements }) => statements.map((text) => parse(text))));
  const made = trees.flatMap(({ stmts = [] }) =>
    stmts.flatMap(({ stmt }) => (stmt && 'CreateStmt' in stmt ? [stmt.CreateStmt.relation?.relname] : [])),
  );
  expect(Object.keys(placements).toSorted()).toEqual([...made, 'migrations'].toSorted());
  const calls = callsToDistribute(Object.keys(placements));
  expect(calls[0]?.values).toEqual(['accounts', 'account_id', 'none']);
  expect(calls).toContainEqual(expect.objectContaining({ values: ['runs', 'account_id', 'accounts'] }));
  expect(calls).toContainEqual({ text: 'SELECT create_reference_table($1::regclass)', values: ['store_info'] });
  for (const { text } of calls) expect(await shardingProblems(text, new Map())).toEqual([]);
});

test('[PG-30] a worker without the tables of this version is refused, a worker that has them is not', () => {
  const worker = { isCoordinator: false };
  expect(nodeRefusalText(worker, { migrationsPending: 1 })).toMatch(/worker of a Citus cluster.*coordinator first/);
  expect(nodeRefusalText(worker, { migrationsPending: 0 })).toBeUndefined();
  expect(nodeRefusalText({ isCoordinator: true }, { migrationsPending: 1 })).toBeUndefined();
  expect(nodeRefusalText(undefined, { migrationsPending: 1 })).toBeUndefined();
});

test.skipIf(!postgresAtHand() || !onOneNode('a start on a read-only node'))(
  '[PG-31] a server that starts on a migrated database writes nothing',
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres!.stop());
    const url = await postgres!.createDatabase();
    const first = await openPostgresStore({ url });
    const accountId = await newAccount(first);
    const epoch = await first.epoch();
    await first.close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const setReadOnly = (value: string) =>
      client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${value}`);
    await setReadOnly('on');
    const store = await openPostgresStore({ url });
    expect([await store.epoch(), (await store.account(accountId))?.version]).toEqual([epoch, 0]);
    await expect(write(store, accountId, (next) => ({ maps: [mapDoc(next())] }))).rejects.toThrow(/read-only/);
    await store.close();
    await client.end();
  },
);
