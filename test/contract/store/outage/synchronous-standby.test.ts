/** Commits that wait for a synchronous standby. The standby is one that never comes, so a commit waits until it is let go. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../../../server/store/postgres/postgres-store.ts';
import { StoreUnavailable } from '../../../../server/store/store.ts';
import { findPostgres, startCluster, type Cluster } from '../../../postgres-cluster.ts';
import { postgresAtHand } from '../../../postgres.ts';
import { mapDoc, newAccount, nothing, write } from '../records.ts';

describe.skipIf(!postgresAtHand() || !findPostgres())('a commit that waits for a synchronous standby', () => {
  let cluster: Cluster | undefined;
  beforeAll(async () => void (cluster = await startCluster()));
  afterAll(() => cluster?.stop());

  async function openWaiting() {
    const store = await openPostgresStore(cluster!);
    const accountId = await newAccount(store);
    const admin = new pg.Client({ connectionString: cluster!.url });
    await admin.connect();
    const setStandby = async (name: string) => {
      await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
      await admin.query('SELECT pg_reload_conf()');
      for (const set = "SELECT current_setting('synchronous_standby_names') AS name"; ; await sleep(pollMs)) {
        if ((await admin.query<{ name: string }>(set)).rows[0]?.name === name) return;
      }
    };
    await setStandby('nobody');
    onTestFinished(async () => {
      await setStandby('');
      await store.close();
      await admin.end();
    });
    /** Resolves with the process of a commit that waits. */
    const untilOneWaits = async () => {
      for (; ; await sleep(pollMs)) {
        const { rows } = await admin.query<{ pid: number }>(
          "SELECT pid FROM pg_stat_activity WHERE application_name = 'gemba' AND wait_event = 'SyncRep'",
        );
        if (rows[0]) return rows[0].pid;
      }
    };
    return { store, accountId, admin, setStandby, untilOneWaits };
  }

  test.each(['pg_cancel_backend', 'pg_terminate_backend'])(
    '[PG-37] is never acknowledged if its wait is ended by %s',
    async (end) => {
      const { store, accountId, admin, untilOneWaits } = await openWaiting();
      const calls = [() => write(store, accountId, (next) => ({ maps: [mapDoc(next())] })), () => newAccount(store)];
      for (const call of calls) {
        const outcome = call().catch((error: unknown) => error);
        await admin.query(`SELECT ${end}($1)`, [await untilOneWaits()]);
        expect(await outcome).toBeInstanceOf(StoreUnavailable);
      }
      // The commit is on the primary's disk, from where a repetition is answered.
      expect((await store.account(accountId))?.version).toBe(1);
    },
  );

  test('[PG-38] makes the answer to its repetition wait, too', async () => {
    const { store, accountId, setStandby, untilOneWaits } = await openWaiting();
    const order: string[] = [];
    const repeated = store
      .transact(accountId, nothing, () => ({ result: undefined }))
      .then(() => order.push('answered'));
    await Promise.race([untilOneWaits(), repeated]);
    order.push('standby is there');
    await setStandby('');
    await repeated;
    expect(order).toEqual(['standby is there', 'answered']);
  });
});

const pollMs = 20;
