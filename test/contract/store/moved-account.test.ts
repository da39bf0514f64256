/** A transaction whose account's row moves away while it waits for the lock. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { translatePgError } from '../../../server/store/postgres/failures.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { StoreUnavailable } from '../../../server/store/store.ts';
import { onOneNode } from '../../citus.ts';
import { postgresAtHand, startPostgres } from '../../postgres.ts';
import { mapDoc, newAccount, nothing, write } from './records.ts';

async function openStoreWithRival() {
  const postgres = await startPostgres();
  onTestFinished(() => postgres!.stop());
  const url = await postgres!.createDatabase();
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const rival = new pg.Client({ connectionString: url });
  await rival.connect();
  onTestFinished(() => rival.end());
  return { store, rival };
}

async function untilOneWaits(rival: pg.Client): Promise<void> {
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await rival.query(waiting)).rowCount === 0);
}

test.skipIf(!postgresAtHand() || !onOneNode('the wait for a row that moves'))(
  '[PG-26] a transaction whose account is written anew while it waits runs again on the new row',
  async () => {
    const { store, rival } = await openStoreWithRival();
    const accountId = await newAccount(store);
    await rival.query('BEGIN');
    // Like the move of a shard: the row that the transaction waits for is gone, and stands elsewhere.
    await rival.query('CREATE TEMP TABLE moved AS SELECT * FROM accounts');
    await rival.query('DELETE FROM accounts');
    await rival.query('INSERT INTO accounts SELECT * FROM moved');
    const written = write(store, accountId, (next) => ({ maps: [mapDoc(next())] }));
    await untilOneWaits(rival);
    await rival.query('COMMIT');
    expect(await written).toBe(1);
    expect((await store.account(accountId))?.version).toBe(1);
  },
);

test.skipIf(!postgresAtHand())('[PG-26] an account that does not exist is no account to wait for', async () => {
  const { store } = await openStoreWithRival();
  const accountId = randomUUID();
  await expect(store.transact(accountId, nothing, () => ({ result: undefined }))).rejects.toThrow(
    `No account ${accountId}`,
  );
});

test.skipIf(!postgresAtHand())('[PG-27] an internal error of PostgreSQL is an outage', async () => {
  const { rival } = await openStoreWithRival();
  const raise = (code: string) =>
    rival
      .query(`DO $$ BEGIN RAISE EXCEPTION 'a worker died' USING ERRCODE = '${code}'; END $$`)
      .catch(translatePgError);
  expect(await raise('XX000')).toBeInstanceOf(StoreUnavailable);
  expect(await raise('23505')).toBeInstanceOf(pg.DatabaseError);
});
