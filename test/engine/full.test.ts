/** A device whose storage has no room for some time. */
import { expect, test } from 'vitest';
import type { DeviceStorage } from '../../client/client.ts';
import { current, device, memoryStorage } from './devices.ts';

interface Disk {
  isFull: boolean;
  storage: DeviceStorage;
}

function disk(): Disk {
  const inner = memoryStorage();
  const it: Disk = {
    isFull: false,
    storage: {
      ...inner,
      createStorageInstance: async (params) => {
        const instance = await inner.createStorageInstance(params);
        const bulkWrite = instance.bulkWrite.bind(instance);
        const refused = new DOMException('no room', 'QuotaExceededError');
        instance.bulkWrite = (...args) => (it.isFull ? Promise.reject(refused) : bulkWrite(...args));
        return instance;
      },
    },
  };
  return it;
}

test('[STORAGE-10] a change that finds no room is refused, told, and forgotten once there is room again', async () => {
  const flash = disk();
  const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));
  const phone = await device({ url: 'http://127.0.0.1:9', fetch: offline, storage: flash.storage });
  await phone.createMap({ name: 'Saw' });
  flash.isFull = true;
  await expect(phone.createMap({ name: 'Press' })).rejects.toMatchObject({ code: 'storage_full' });
  expect(await current(phone.status$)).toMatchObject({ pending: 1, error: { code: 'storage_full' } });
  flash.isFull = false;
  await phone.createMap({ name: 'Drill' });
  expect(await current(phone.status$)).toMatchObject({ pending: 2, error: null });
  expect((await current(phone.maps$)).map(({ name }) => name)).toEqual(['Drill', 'Saw']);
});
