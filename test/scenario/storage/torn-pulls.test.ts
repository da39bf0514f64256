/** Pulls that end in the middle: a later page that does not come, or a write that finds no room. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { current, json, memoryStorage } from '../../device/devices.ts';
import { phonesOf, sync, type Phone } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const mapsOf = async ({ phone }: Phone) => (await current(phone.maps$)).map(({ name }) => name).toSorted();

test('[SYNC-98] a pull whose second page fails shows nothing of the first, and the next pull brings both', async () => {
  const { rest, newPhone } = await phonesOf(server);
  const reader = await newPhone();
  for (const name of ['Drill', 'Saw']) await rest.send('POST', '/maps', { name });
  let pages = 0;
  reader.net.answers('sync/pull', async (ask) => {
    if (++pages > 1) throw new TypeError('cut');
    const page = (await (await ask()).json()) as PullResponse;
    return json({ ...page, changes: page.changes.slice(0, 1), has_more: true });
  });
  await sync(reader);
  expect(pages).toBeGreaterThan(1);
  expect(await mapsOf(reader)).toEqual([]);
  reader.net.answers('sync/pull', (ask) => ask());
  await sync(reader);
  expect(await mapsOf(reader)).toEqual(['Drill', 'Saw']);
});

test('[DEVICE-20] pages of two epochs are never joined', async () => {
  const { rest, newPhone } = await phonesOf(server);
  const reader = await newPhone();
  for (const name of ['Drill', 'Saw']) await rest.send('POST', '/maps', { name });
  let pages = 0;
  reader.net.answers('sync/pull', async (ask) => {
    if (++pages > 2) throw new TypeError('cut');
    const page = (await (await ask()).json()) as PullResponse;
    const first = { changes: page.changes.slice(0, 1), has_more: true };
    return json({ ...page, ...(pages === 1 ? first : { epoch: 'of the restored server' }) });
  });
  await sync(reader);
  expect(pages).toBeGreaterThanOrEqual(2);
  expect(await mapsOf(reader)).toEqual([]);
  reader.net.answers('sync/pull', (ask) => ask());
  await sync(reader);
  expect(await mapsOf(reader)).toEqual(['Drill', 'Saw']);
});

/** A storage that refuses one write, the one after as many as `writesLeft` says. */
function storageThatFails(): AnyRxStorage & { writesLeft: number } {
  const storage = memoryStorage();
  const failing = {
    ...storage,
    writesLeft: Infinity,
    createStorageInstance: async (params: Parameters<AnyRxStorage['createStorageInstance']>[0]) => {
      const instance = await storage.createStorageInstance(params);
      const write = instance.bulkWrite.bind(instance);
      instance.bulkWrite = (rows, context) =>
        failing.writesLeft-- === 0
          ? Promise.reject(new DOMException('no room', 'QuotaExceededError'))
          : write(rows, context);
      return instance;
    },
  };
  return failing as unknown as AnyRxStorage & { writesLeft: number };
}

test.each([0, 1, 2])('[SYNC-99] a pull that failed at its write %i brings the same again', async (writes) => {
  const { rest, newPhone } = await phonesOf(server);
  const storage = storageThatFails();
  const reader = await newPhone({ storage });
  await rest.send('POST', '/maps', { name: 'Saw' });
  storage.writesLeft = writes;
  await sync(reader).catch(() => {});
  storage.writesLeft = Infinity;
  await sync(reader);
  expect(await mapsOf(reader)).toEqual(['Saw']);
});
