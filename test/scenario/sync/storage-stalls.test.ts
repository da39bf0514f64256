import type { RxStorageInstance } from 'rxdb';
import { BehaviorSubject } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { pullLimitMax } from '../../../shared/schema/limits.ts';
import { cursorRowId } from '../../../client/storage/rows.ts';
import { stallMsMax } from '../../../client/sync/cycle/machine.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { current, device, eventually, memoryStorage, network } from '../../device/devices.ts';
import { manualTimers } from '../../device/manual-timers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

interface HangingStorage {
  storage: AnyRxStorage;
  /** Resolves when this many writes hang. */
  hung(times: number): Promise<void>;
  /** Lets the hanging writes finish. */
  wake(): void;
}

/** A storage whose first writes of pulled records never finish, as in a browser that lost its storage. */
function hangingStorage(hangs: number): HangingStorage {
  const inner = memoryStorage();
  const hanging = new BehaviorSubject<(() => void)[]>([]);
  const write = (instance: RxStorageInstance<unknown, unknown, unknown>) => {
    const bulkWrite = instance.bulkWrite.bind(instance);
    return async (...args: Parameters<typeof bulkWrite>) => {
      if (instance.collectionName.startsWith('records') && hanging.value.length < hangs) {
        await new Promise<void>((resolve) => hanging.next([...hanging.value, resolve]));
      }
      return bulkWrite(...args);
    };
  };
  return {
    storage: {
      ...inner,
      createStorageInstance: async (params) => {
        const instance = await inner.createStorageInstance(params);
        return new Proxy(instance, {
          get: (target, property) => {
            if (property === 'bulkWrite') return write(target as never);
            const value: unknown = Reflect.get(target, property);
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          },
        });
      },
    },
    hung: async (times) => void (await eventually(hanging, ({ length }) => length >= times)),
    wake: () => {
      for (const resolve of hanging.value) resolve();
    },
  };
}

test('[SYNC-14] a storage that never answers stalls a round, which is told and begun anew until one ends', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const { clock, fire, has } = manualTimers();
  const { storage, hung, wake } = hangingStorage(3);
  const phone = await device({ url: server.url, token, storage, clock });
  await hung(1);
  const synced = phone.sync();
  const { map_id } = await phone.createMap({ name: 'Saw' });
  for (const times of [2, 3]) {
    fire(stallMsMax);
    const told = await eventually(phone.status$, ({ error }) => error !== null);
    expect(told).toMatchObject({ phase: 'syncing', pending: 1, error: { title: 'The sync stood still' } });
    await hung(times);
  }
  fire(stallMsMax);
  await synced;
  const after = await eventually(phone.status$, ({ phase }) => phase === 'idle');
  expect(after).toMatchObject({ pending: 0, error: null });
  expect(has(stallMsMax)).toBe(false);
  wake();
  await phone.sync();
  expect(await current(phone.maps$)).toMatchObject([{ id: map_id, pending: false }]);
  expect((await rest.list<{ id: string }>('/maps')).map(({ id }) => id)).toEqual([map_id]);
});

test('[SYNC-97] [PULL-16] the next page of a pull is requested while the storage writes the page before', async () => {
  const token = await server.newAccount();
  const maps = pullLimitMax + 1;
  const first = await device({ url: server.url, token });
  for (let nth = 0; nth < maps; nth++) await first.createMap({ name: `Saw ${nth}` });
  await first.sync();

  const { storage, hung, wake } = hangingStorage(1);
  const net = network();
  const laterPages = new BehaviorSubject(0);
  const limits = new Set<string | null>();
  net.answers('sync/pull', (ask, { query }) => {
    if (query.has('client_id')) limits.add(query.get('limit'));
    if (query.get('cursor')) laterPages.next(laterPages.value + 1);
    return ask();
  });
  const second = await device({ url: server.url, token, storage, fetch: net.fetch });
  await hung(1);
  await eventually(laterPages, (count) => count === 1);
  expect(await current(second.maps$)).toEqual([]);
  wake();
  await second.sync();
  expect(await current(second.maps$)).toHaveLength(maps);
  expect([...limits]).toEqual(['1000']);
});

/** A storage whose next read of the cursor never finishes until it is woken. */
function createHangingCursorRead() {
  const inner = memoryStorage();
  let isNext = false;
  const hanging = new BehaviorSubject<(() => void) | undefined>(undefined);
  const storage: AnyRxStorage = {
    ...inner,
    createStorageInstance: async (params) => {
      const instance = await inner.createStorageInstance(params);
      const find = instance.findDocumentsById.bind(instance);
      if (!params.collectionName.startsWith('records')) return instance;
      instance.findDocumentsById = async (ids, deleted) => {
        if (isNext && ids.length === 1 && ids[0] === cursorRowId) {
          isNext = false;
          await new Promise<void>((resolve) => hanging.next(resolve));
        }
        return find(ids, deleted);
      };
      return instance;
    },
  };
  const hangNext = () => {
    isNext = true;
    return eventually(hanging, (wake) => wake !== undefined);
  };
  return { storage, hangNext };
}

test('[SYNC-32] a walk that hung in the storage until another took its place is not written over that one', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const { clock, fire } = manualTimers();
  const { storage, hangNext } = createHangingCursorRead();
  const net = network();
  net.answers('sync/events', () => Promise.reject(new TypeError('no stream here')));
  const phone = await device({ url: server.url, token, storage, clock, fetch: net.fetch });
  const { map_id } = await phone.createMap({ name: 'v1' });
  await phone.sync();
  const nameNow = async () => (await current(phone.map$(map_id)))?.name;

  const hung = hangNext();
  await rest.send('PATCH', `/maps/${map_id}`, { name: 'v2' });
  const synced = phone.sync();
  const wake = await hung;
  await rest.send('PATCH', `/maps/${map_id}`, { name: 'v3' });
  fire(stallMsMax);
  await synced;
  expect(await nameNow()).toBe('v3');
  wake!();
  // The storage is in memory, so the woken pull ends in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await nameNow()).toBe('v3');
});
