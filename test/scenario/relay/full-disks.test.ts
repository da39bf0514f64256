/** A phone that carries and a watch that hands over, whose disks take nothing for some time. */
import { firstValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { carriedCollection } from '../../../client/relay/carried-table.ts';
import { handOverCollection } from '../../../client/hand-over/hand-over-table.ts';
import { memoryStorage } from '../../device/devices.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { relayOf } from './carrying-phone.ts';
import { meet, newCarryingPhone, newWatch } from './watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

interface Disk {
  isFull: boolean;
  storage: AnyRxStorage;
}

/** A disk whose fullness refuses the writes of one collection. */
function diskOf(collection: string): Disk {
  const inner = memoryStorage();
  const disk: Disk = {
    isFull: false,
    storage: {
      ...inner,
      createStorageInstance: async (params) => {
        const instance = await inner.createStorageInstance(params);
        const bulkWrite = instance.bulkWrite.bind(instance);
        const refused = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'));
        const isRefused = () => disk.isFull && params.collectionName.startsWith(collection);
        instance.bulkWrite = (rows, context) => (isRefused() ? refused() : bulkWrite(rows, context));
        return instance;
      },
    },
  };
  return disk;
}

test.each(['a part', 'a message'])(
  '[RELAY-23] a phone whose disk is full does not say that it has %s',
  async (what) => {
    const disk = diskOf(carriedCollection);
    const relay = await relayOf(server, { storage: disk.storage });
    const { id, sealed } = await relay.sealPush();
    const bytes = what === 'a part' ? sealed.slice(0, 100) : sealed;
    disk.isFull = true;
    const { device: watch, ended } = await relay.meet();
    await watch.send({ type: 'give', id, total: sealed.length, offset: 0, bytes });
    expect(await watch.next()).toEqual({ type: 'bye', code: 'full' });
    await ended;
    expect(await relay.carrying()).toMatchObject({ messages: 0 });

    disk.isFull = false;
    const { device: again } = await relay.meet();
    expect(await again.give(id, sealed)).toMatchObject([{ type: 'have', offset: sealed.length }]);
  },
);

test('[RELAY-23] a phone keeps an answer that the watch cannot store', async () => {
  const disk = diskOf(handOverCollection);
  const watch = await newWatch(server, { storage: disk.storage });
  const phone = await newCarryingPhone(server);
  const session = await watch.record();
  await meet(watch, phone);
  phone.net.online = true;
  disk.isFull = true;
  await expect(meet(watch, phone)).rejects.toThrow();
  disk.isFull = false;
  await expect.poll(() => firstValueFrom(phone.carrier.carrying$)).toMatchObject({ messages: 2 });
  await meet(watch, phone);
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
});

test('[CODES-16] a phone whose disk is full has not taken a code, and takes the message once there is room', async () => {
  const disk = diskOf(carriedCollection);
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server, { storage: disk.storage });
  phone.net.online = false;
  await watch.record();
  const { cycle, names } = await watch.handOver.showCodes();
  const codes = cycle(0);
  const reader = await phone.carrier.readCodes();
  disk.isFull = true;
  for (const text of codes.slice(0, -1)) await reader.add(text);
  const notStored = { kind: 'not_stored', name: names[0] };
  for (const text of [codes.at(-1)!, codes[0]!]) expect(await reader.add(text)).toEqual(notStored);
  disk.isFull = false;
  expect(await reader.add(codes[0]!)).toEqual({ kind: 'whole', name: names[0] });
  expect(await reader.add(codes[0]!)).toEqual({ kind: 'nothing' });
  expect(await firstValueFrom(phone.carrier.carrying$)).toMatchObject({ messages: 1 });
});

test('[RELAY-106] a phone whose disk is full delivers all that it carries', async () => {
  const disk = diskOf(carriedCollection);
  const relay = await relayOf(server, { storage: disk.storage });
  const { device } = await relay.meet();
  for (let count = 0; count < 3; count++) {
    const { id, sealed } = await relay.sealPush();
    await device.give(id, sealed);
  }
  disk.isFull = true;
  relay.net.online = true;
  await relay.phone.sync();
  await expect.poll(relay.runCount).toBe(3);
  for (let count = 0; count < 3; count++) expect(await device.next()).toMatchObject({ type: 'failed', code: 'later' });
  expect(await relay.carrying()).toMatchObject({ messages: 3 });
});
