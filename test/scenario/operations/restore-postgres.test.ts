/** PostgreSQL is backed up with its own tools; a restore ends with a new epoch. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { findPostgres } from '../../postgres-cluster.ts';
import { onOneNode } from '../../citus.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { runCommand } from './command.ts';
import { newApi, temporaryFolder } from '../../contract/fixture.ts';
import { createKeyOfPhone, pairedDevice } from '../../contract/pairing.ts';

const binaries = findPostgres();

describe.skipIf(!postgresAtHand() || !binaries)('on a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  const { dataDir, remove } = temporaryFolder();
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(async () => {
    remove();
    await postgres?.stop();
  });
  const run = (tool: string, ...args: string[]) => execFileSync(join(binaries!, tool), args, { stdio: 'pipe' });
  const open = (databaseUrl: string) => openServer({ dataDir, databaseUrl, port: 0, host: '127.0.0.1' });

  test.skipIf(!onOneNode('pg_dump and pg_restore'))(
    '[BACKUP-7] what pg_dump took and pg_restore brought back serves on, with a new epoch',
    async () => {
      const [from, to] = [await postgres!.createDatabase(), await postgres!.createDatabase()];
      const server = await open(from);
      const api = await newApi(server);
      const map = await api.createMap();
      const epoch = await server.store.epoch();
      const dump = join(dataDir, 'gemba.dump');
      run('pg_dump', '--format=custom', `--file=${dump}`, from);
      await server.close();
      run('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${to}`, dump);
      const ended = await runCommand('restore', ['--epoch-only'], { DATABASE_URL: to });
      expect(ended).toEqual({ exitCode: 0, printed: expect.stringMatching(/^The epoch is now [0-9a-f-]{36}\.\n$/) });

      const restored = await open(to);
      expect((await api.at(restored).get(`/api/v1/maps/${map.id}`)).status).toBe(200);
      expect(ended.printed).toContain(await restored.store.epoch());
      expect(await restored.store.epoch()).not.toBe(epoch);
      await restored.close();
    },
  );

  test('[BACKUP-12] [BACKUP-19] [BACKUP-17] [BACKUP-18] a restore that revokes all devices revokes the keys that they made, and leaves the others', async () => {
    const databaseUrl = await postgres!.createDatabase();
    let server = await open(databaseUrl);
    const api = await newApi(server);
    const watch = await pairedDevice(server, api);
    const made = await createKeyOfPhone(server, api);
    await server.close();
    const ended = await runCommand('restore', ['--epoch-only', '--revoke-all-devices'], { DATABASE_URL: databaseUrl });
    expect(ended).toMatchObject({ exitCode: 0, printed: expect.stringContaining('the 1 API keys that they made') });
    server = await open(databaseUrl);
    expect((await watch.at(server).get('/api/v1/maps')).status).toBe(401);
    expect((await made.at(server).get('/api/v1/maps')).status).toBe(401);
    expect((await api.at(server).get('/api/v1/maps')).status).toBe(200);
    await server.close();
  });

  test('[BACKUP-7] [BACKUP-15] and the commands of the embedded database leave PostgreSQL alone', async () => {
    const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    for (const [name, tool] of [
      ['backup', 'pg_dump'],
      ['restore', 'pg_restore'],
    ] as const) {
      const refused = await runCommand(name, [join(dataDir, 'folder')], environment);
      expect(refused).toEqual({ exitCode: 1, printed: expect.stringContaining(tool) });
    }
  });
});
