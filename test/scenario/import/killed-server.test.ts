/** A server that is killed in the middle of an import. */
import { describe, expect, test } from 'vitest';
import { Api, adminToken, temporaryFolder } from '../../contract/fixture.ts';
import { createMaps, fileOf, importFile } from '../../contract/import/import-client.ts';
import { startServerProcess } from '../../contract/server-process.ts';
import { postgresAtHand, startPostgres } from '../../postgres.ts';

const recordings = 600;

async function startServer(environment: Record<string, string>) {
  const server = startServerProcess({ GEMBA_ADMIN_TOKEN: adminToken, GEMBA_RATE_LIMIT: '1000000/60', ...environment });
  const [, url = ''] = await server.until(/listening on (\S+)\n/);
  return { url, server };
}

async function expectAllOnceAfterKill(environment: Record<string, string>): Promise<void> {
  const { url, server } = await startServer(environment);
  const operator = new Api({ url, key: adminToken, accountId: '' });
  const made = (await operator.post('/api/v1/admin/accounts', { name: 'Killed', plan: 'team' })).body;
  const account = { key: made.api_key, accountId: made.account.id };
  const api = new Api({ url, ...account });
  const sent = importFile(api, fileOf(recordings), { query: createMaps }).catch(() => 'killed');
  const runCount = async (at: Api) => (await at.get('/api/v1/maps')).body.data[0]?.run_count ?? 0;
  while ((await runCount(api)) === 0) expect(server.child.exitCode).toBeNull();
  server.child.kill('SIGKILL');
  expect(await sent).toBe('killed');
  await server.ended;

  const again = new Api({ url: (await startServer(environment)).url, ...account });
  const saved = await runCount(again);
  expect(saved).toBeGreaterThan(0);
  expect(saved).toBeLessThan(recordings);
  const { body } = await importFile(again, fileOf(recordings), { query: createMaps });
  expect(body).toMatchObject({ new: recordings - saved, already_there: saved, maps: [{ new: false }] });
  const [map, ...others] = (await again.get('/api/v1/maps')).body.data;
  expect([map, others]).toMatchObject([{ run_count: recordings, last_run_number: recordings, stage_count: 1 }, []]);
}

test('[IMPORT-16] a killed server on SQLite has each recording once after the file was sent again', async () => {
  const { dataDir, remove } = temporaryFolder();
  await expectAllOnceAfterKill({ DATA_DIR: dataDir }).finally(remove);
});

describe.skipIf(!postgresAtHand())('on PostgreSQL', () => {
  test('[IMPORT-16] a killed server on PostgreSQL has each recording once after the file was sent again', async () => {
    const postgres = await startPostgres();
    const { dataDir, remove } = temporaryFolder();
    const DATABASE_URL = await postgres!.createDatabase();
    await expectAllOnceAfterKill({ DATA_DIR: dataDir, DATABASE_URL }).finally(async () => {
      await postgres!.stop();
      remove();
    });
  });
});
