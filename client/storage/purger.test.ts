import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../test/device/devices.ts';
import { folderJournal } from '../../test/device/disk-journal.ts';
import { breakableJournal, newFolder } from '../../test/device/folder-journal.ts';
import { systemClock } from '../core/clock.ts';
import { openDeviceTables } from './device-tables.ts';
import { transferMarksMax, Purger, tombstonesKeptMax } from './purger.ts';
import { deviceRowId, transferMarkRowId, type OutboxBody } from './rows.ts';

const device: OutboxBody = {
  kind: 'device',
  client_id: randomUUID(),
  last_seq: 0,
  device_id: randomUUID(),
  token: null,
  epoch: null,
};

async function storeWithMarks(count: number) {
  const mirror = breakableJournal(folderJournal(newFolder()));
  const name = `device-${randomUUID()}`;
  const store = await openDeviceTables({ name, storage: memoryStorage(), mirror, clock: systemClock });
  onTestFinished(() => store.close());
  const idOf = (index: number) => transferMarkRowId(String(index).padStart(6, '0'));
  const ids = Array.from({ length: count }, (_, index) => idOf(index));
  const begun = Date.UTC(2026, 3, 1);
  const rowBodyOf = (index: number): OutboxBody => ({ kind: 'moved', at: new Date(begun + index).toISOString() });
  await store.outbox.write([
    { id: deviceRowId, body: device },
    ...ids.map((id, index) => ({ id, body: rowBodyOf(index) })),
  ]);
  return { store, mirror, ids, purger: new Purger(store) };
}

test('[STORAGE-74] of the marks of exported and imported work the oldest are forgotten beyond 10,000', async () => {
  const { store, ids, purger } = await storeWithMarks(transferMarksMax + 3);
  await purger.purge();
  expect([...store.outbox.entries()].map(([id]) => id)).toEqual([deviceRowId, ...ids.slice(3)]);
});

test('[STORAGE-75] tombstones stay while the second copy is behind, until there are more than 5,000', async () => {
  const { store, mirror, ids, purger } = await storeWithMarks(tombstonesKeptMax + 1);
  mirror.isBroken = true;
  const [last, ...others] = ids;
  await store.outbox.write([], others);
  await purger.purge();
  expect((await store.outbox.findRemoved(ids)).size).toBe(tombstonesKeptMax);
  await store.outbox.write([], [last!]);
  await purger.purge();
  expect(store.journal.state$.value).toBe('behind');
  expect((await store.outbox.findRemoved(ids)).size).toBe(0);
});
