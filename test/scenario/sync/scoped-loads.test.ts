/** Loads of runs that meet a pull, a failing pull, or a server without scopes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { current, json, memoryStorage } from '../../device/devices.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { numbersShown, record, scopedPhone } from './scoped-device.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** A storage that runs `next` once, before the next write. */
function interceptedStorage() {
  const inner = memoryStorage();
  const writes: { next?: (() => Promise<unknown>) | undefined } = {};
  const storage: AnyRxStorage = {
    ...inner,
    createStorageInstance: async (params) => {
      const instance = await inner.createStorageInstance(params);
      const bulkWrite = instance.bulkWrite.bind(instance);
      return Object.assign(instance, {
        bulkWrite: async (...args: Parameters<typeof bulkWrite>) => {
          const { next } = writes;
          writes.next = undefined;
          await next?.();
          return bulkWrite(...args);
        },
      });
    },
  };
  return { storage, writes };
}

test('[SCOPE-28] a pull that meets a load at its write is written after it', async () => {
  const { storage, writes } = interceptedStorage();
  const { phone, mapId, runs, rest, net } = await scopedPhone(server, 4, { runsMax: 2 }, { storage });
  await rest.send('PATCH', `/runs/${runs[1]!.id}`, { name: 'Changed' });
  await rest.send('POST', `/runs/${runs[2]!.id}/delete`, {});
  const cursors: string[] = [];
  net.answers('sync/pull', async (ask, { query }) => {
    cursors.push(query.get('cursor') ?? '');
    const answer = await ask();
    writes.next = () => phone.loadRuns(mapId, [runs[0]!.id]);
    return answer;
  });
  await phone.sync();
  expect(writes.next).toBeUndefined();
  expect(cursors).toHaveLength(1);
  expect(cursors).not.toContain('');
  expect(await numbersShown(phone, mapId)).toEqual([4, 2, 1]);
  expect((await current(phone.status$)).phase).toBe('idle');
});

test('[SCOPE-29] a run that changed is not called missing if its pull fails', async () => {
  const { phone, mapId, runs, rest, net } = await scopedPhone(server, 4, { runsMax: 1 });
  const changed = runs[0]!.id;
  await rest.send('PATCH', `/runs/${changed}`, { name: 'Changed' });
  net.answers('sync/pull', () => Promise.reject(new TypeError('no network')));
  await expect(phone.loadRuns(mapId, [changed])).rejects.toMatchObject({ code: 'unreachable' });
  net.answers('sync/pull', (ask) => ask());
  expect(await phone.loadRuns(mapId, [changed])).toEqual({ loaded: 1, missing: [] });
});

test('[SCOPE-30] with a server that knows no scopes a load sends no request', async () => {
  const { net, rest, phone, mapId, runs, open } = await scopedPhone(server, 3, undefined);
  await phone.close();
  net.answers('sync/pull', async (ask) => {
    const body = (await (await ask()).json()) as { partial?: boolean };
    delete body.partial;
    return json(body);
  });
  net.answers('sync/runs', () => Promise.reject(new Error('An older server has no such route.')));
  const older = await open({ runsMax: 50 });
  await older.sync();
  await record(rest, mapId);
  expect(await older.loadRuns(mapId, [runs[0]!.id, 999_999])).toEqual({ loaded: 0, missing: [999_999] });
  expect(await older.loadRuns(mapId)).toEqual({ loaded: 0, missing: [] });
});
