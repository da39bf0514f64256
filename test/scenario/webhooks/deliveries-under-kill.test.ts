/**
 * One server process is killed with `kill -9` in the middle of a delivery, and its successor is stopped. Another one goes on
 * each time, with the same event.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAll } from '../../contract/account-events.ts';
import { Endpoint, verify } from '../../endpoint.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { testMsMax, waitMsMax } from '../../timeouts.ts';
import { createAccountOn, startServerOn, type RunningProcess } from '../operations/failing-pair.ts';
import { Api } from '../../contract/fixture.ts';

const mapsMade = 30;
const killedAt = 10;
const stoppedAt = 20;

describe.skipIf(!postgresAtHand())('webhooks of several server processes', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  test(
    '[HOOK-10] [HOOK-11] each event arrives at least once, in order, with one id, while processes are killed and stopped',
    async () => {
      const databaseUrl = await postgres!.createDatabase();
      const processes: RunningProcess[] = [];
      const start = async () => {
        const started = await startServerOn(databaseUrl, { GEMBA_WEBHOOK_ALLOW: '127.0.0.0/8,http' });
        processes.push(started);
        return started;
      };
      onTestFinished(() => processes.forEach(({ child }) => void child.kill('SIGKILL')));
      const first = await start();
      const admin = await createAccountOn(first.url);
      const endpoint = await Endpoint.open();
      onTestFinished(() => endpoint.close());
      const { body: made } = await admin.post('/api/v1/webhooks', { url: endpoint.url });
      await admin.createMap();
      // The first process has the lease now.
      await expect.poll(() => endpoint.posted.length, { timeout: waitMsMax }).toBe(1);

      const second = await start();
      let isKilled = false;
      endpoint.answer = (response, { body }) => {
        const { version } = JSON.parse(body).data;
        // The answer never arrives.
        if (version === killedAt && !isKilled) isKilled = first.child.kill('SIGKILL');
        else response.writeHead(204).end();
      };
      const at = (server: RunningProcess) => new Api({ url: server.url, key: admin.key, accountId: admin.accountId });
      for (let maps = 1; maps < mapsMade; maps++) await at(second).createMap();
      await expect.poll(() => new Set(endpoint.ids()).size, { timeout: waitMsMax }).toBe(mapsMade);
      expect(first.child.signalCode).toBe('SIGKILL');

      const third = await start();
      second.child.kill('SIGTERM');
      for (let maps = 0; maps < stoppedAt; maps++) await at(third).createMap();
      await expect.poll(() => new Set(endpoint.ids()).size, { timeout: waitMsMax }).toBe(mapsMade + stoppedAt);

      const events = await readAll(at(third));
      const [idKilled] = endpoint.ids().filter((id, index, ids) => ids.indexOf(id) !== index);
      expect(idKilled).toBe(events[killedAt - 1]!.id);
      const inOrder = endpoint.ids().filter((id, index, ids) => ids.indexOf(id) === index);
      expect(inOrder).toEqual(events.map(({ id }) => id));
      const repeated = endpoint.posted.filter(({ headers }) => headers['webhook-id'] === idKilled);
      expect(new Set(repeated.map(({ body }) => body)).size).toBe(1);
      for (const posted of repeated) expect(verify(made.secret, posted)).toMatchObject({ type: 'map.created' });
    },
    testMsMax,
  );
});
