/** The example for TanStack DB, with an engine on a real server. */
import { createCollection, createLiveQueryCollection, eq } from '@tanstack/db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapsOptions, runsOptions } from '../../examples/tanstack-db/gemba-collections.ts';
import { atRest, device, manualSync, network } from '../device/devices.ts';
import { restClient, testServer, type TestServer } from '../device/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** Resolves once the rows hold what is expected of them. */
function rowsOf(rows: { toArray: object[] }, expected: readonly object[]): Promise<void> {
  return expect.poll(() => rows.toArray).toEqual(expected.map((row) => expect.objectContaining(row)));
}

test('[BRIDGE-15] [BRIDGE-16] [BRIDGE-17] a live query shows maps and runs with unsent work, and verbs write', async () => {
  const net = network();
  const token = await server.newAccount();
  const gemba = await device({ url: server.url, token, ...manualSync(net) });
  const { map_id } = await gemba.createMap({ name: 'Press line' });
  const maps = createCollection(mapsOptions(gemba));
  const runs = createCollection(runsOptions(gemba, map_id));
  const slow = createLiveQueryCollection((query) =>
    query
      .from({ run: runs })
      .join({ map: maps }, ({ run, map }) => eq(run.map_id, map.id), 'inner')
      .orderBy(({ run }) => run.total_time_secs, 'desc')
      .select(({ run, map }) => ({ id: run.id, map: map.name, secs: run.total_time_secs, pending: run.pending })),
  );
  await slow.preload();
  const record = async (secs: number) => {
    const steps = [{ stage_name: 'Press', order: 1, duration_secs: secs }];
    const recording = { recording_session_id: `of-${secs}`, steps };
    return (await gemba.importRecording({ mapId: map_id, recording })).run_id;
  };
  await record(4);
  const slowest = await record(9);
  await rowsOf(slow, [
    { map: 'Press line', secs: 9, pending: true },
    { map: 'Press line', secs: 4, pending: true },
  ]);
  await gemba.sync();
  await rowsOf(slow, [
    { secs: 9, pending: false },
    { secs: 4, pending: false },
  ]);
  await restClient(server.url, token).send('PATCH', `/maps/${map_id}`, { name: 'Press line 2' });
  await gemba.sync();
  await gemba.deleteRun(slowest);
  await rowsOf(slow, [{ map: 'Press line 2', secs: 4 }]);

  net.online = false;
  const names: string[] = [];
  maps.subscribeChanges((changes) => names.push(...changes.map(({ value }) => value.name)));
  const transaction = maps.update(map_id, (draft) => void (draft.name = 'Press line 3'));
  await transaction.isPersisted.promise;
  expect(maps.get(map_id)).toMatchObject({ name: 'Press line 3', pending: true });
  expect(new Set(names)).toEqual(new Set(['Press line 3']));
  expect(await atRest(gemba)).toMatchObject({ pending: 2 });
  const refused = maps.update(map_id, (draft) => void (draft.name = ''));
  await expect(refused.isPersisted.promise).rejects.toMatchObject({ code: 'validation_failed' });
  expect(maps.get(map_id)).toMatchObject({ name: 'Press line 3' });
  expect(() => runs.delete(slowest)).toThrow('onDelete');

  await slow.cleanup();
  await Promise.all([maps.cleanup(), runs.cleanup()]);
  await gemba.createMap({ name: 'Paint shop' });
  expect(maps.size).toBe(0);
  await maps.preload();
  expect(maps.toArray.map(({ name }) => name).toSorted()).toEqual(['Paint shop', 'Press line 3']);
});
