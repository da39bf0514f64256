/** Imports that something stops in the middle. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { expectProblem, newApi, temporaryFolder } from '../../contract/fixture.ts';
import { createMaps, fileOf, importFile } from '../../contract/import/import-client.ts';

const { dataDir, remove } = temporaryFolder();
let server: RunningServer;
const accountLimits = { storedBytesMax: { free: 20_000, team: 1024 ** 3 } };
beforeAll(async () => void (server = await openServer({ dataDir, port: 0, host: '127.0.0.1', accountLimits })));
afterAll(() => server.close().finally(remove));

test('[IMPORT-21] a map that is deleted in the middle stops the import, and the same file goes on later', async () => {
  const api = await newApi(server);
  const map = await api.createMap({ name: 'Assembly' });
  const recordings = 600;
  const sent = importFile(api, fileOf(recordings));
  let runs = 0;
  while (runs === 0) runs = (await api.get(`/api/v1/maps/${map.id}`)).body.run_count;
  await api.post(`/api/v1/maps/${map.id}/delete`);
  const stopped = await sent;
  expectProblem(stopped, 409, 'import_interrupted');
  const { reason, saved, detail } = stopped.body;
  expect(reason).toBe('map_deleted');
  expect(detail).toMatch(new RegExp(`^After ${saved} of ${recordings} recordings: .*send the file again`));
  const there = (await api.post(`/api/v1/maps/${map.id}/restore`)).body;
  expect(there.run_count).toBe(saved);
  expect((await importFile(api, fileOf(recordings))).body).toMatchObject({
    new: recordings - saved,
    already_there: saved,
  });
});

test('[IMPORT-21] an account without room for all recordings gets some of them, and the reason', async () => {
  const api = await newApi(server, 'free');
  const stopped = await importFile(api, fileOf(200), { query: createMaps });
  expectProblem(stopped, 409, 'import_interrupted');
  const { reason, saved, plan } = stopped.body;
  expect([reason, plan]).toEqual(['storage_limit_reached', 'free']);
  const [map] = (await api.get('/api/v1/maps')).body.data;
  expect(map.run_count).toBe(saved);
  expect(saved).toBeGreaterThan(0);
});
