/** Two tabs of a device whose writes have not reached each other yet. */
import { randomUUID } from 'node:crypto';
import { filter } from 'rxjs/operators';
import { expect, onTestFinished, test } from 'vitest';
import type { DeviceStorage } from '../../client/client.ts';
import { systemClock } from '../../client/clock.ts';
import { randomIds } from '../../client/ids.ts';
import { Outbox } from '../../client/outbox/outbox.ts';
import { openDeviceStore } from '../../client/store/device-store.ts';
import { problemOf } from '../../shared/protocol/problem.ts';
import { memoryStorage } from './devices.ts';
import { tabLocks } from './tab-locks.ts';

/** Opens tabs on one storage; none is told what the others write. */
function tabsOf() {
  const inner = memoryStorage();
  const databaseName = randomUUID();
  const locks = tabLocks();
  return async (): Promise<Outbox> => {
    const tab = randomUUID();
    const storage: DeviceStorage = {
      ...inner,
      createStorageInstance: async (params) => {
        const instance = await inner.createStorageInstance({ ...params, databaseName });
        const bulkWrite = instance.bulkWrite.bind(instance);
        const own$ = instance.changeStream().pipe(filter(({ context }) => context === tab));
        return Object.assign(instance, {
          bulkWrite: (writes: Parameters<typeof bulkWrite>[0]) => bulkWrite(writes, tab),
          changeStream: () => own$,
        });
      },
    };
    const store = await openDeviceStore({ name: `tab-${tab}`, storage, schedule: systemClock.schedule });
    onTestFinished(() => store.close());
    return Outbox.open({ table: store.outbox, locks, ids: randomIds, now: () => new Date().toISOString() });
  };
}

test('[TABS-8] what one tab made anew is not made once more by another that has not heard of it', async () => {
  const open = tabsOf();
  const first = await open();
  await first.append([{ name: 'create_map', args: { map_id: randomIds.mapId(), name: 'Saw' } }]);
  const second = await open();
  expect(second.mutations('pending')).toEqual(first.mutations('pending'));
  const taken = problemOf({ code: 'id_taken', detail: 'There is a map of this id.' });
  const pulled = { client: { last_seq: 1, rejections: [{ seq: 1, error: taken }] }, epoch: 'epoch-1' };
  await first.identity.rememberOffered(first.device.client_id, 1);
  await first.settle(pulled);
  await second.settle(pulled);
  const made = (await open()).mutations('pending');
  expect(made.map(({ seq, args }) => [seq, args['name']])).toEqual([[2, 'Saw']]);
});
