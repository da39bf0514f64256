import type { RxStorageInstance } from 'rxdb';
import { BehaviorSubject } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceStorage } from '../../client/client.ts';
import { stallMsMax } from '../../client/sync/machine.ts';
import { restClient, testServer, type TestServer } from './account.ts';
import { current, device, eventually, memoryStorage } from './devices.ts';
import { handTimers } from './hand-timers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

interface HangingStorage {
  storage: DeviceStorage;
  /** Resolves when so many writes hang. */
  hung(times: number): Promise<void>;
  /** What hangs is written after all. */
  wake(): void;
}

/** The first writes of pulled records come to no end, as in a browser that lost its storage. */
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
  const { clock, fire, has } = handTimers();
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
