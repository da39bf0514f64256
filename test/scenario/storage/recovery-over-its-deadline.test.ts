/** A rolled-back database, and a storage so slow that recovery takes longer than a device waits for its journal. */
import { BehaviorSubject } from 'rxjs';
import { expect, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { journalTimeoutMs } from '../../../client/storage/journal/journal.ts';
import { deviceRowId } from '../../../client/storage/rows.ts';
import { copyDatabase } from '../../device/databases.ts';
import { current, device, eventually, memoryStorage } from '../../device/devices.ts';
import { folderJournal } from '../../device/disk-journal.ts';
import { newFolder } from '../../device/folder-journal.ts';
import { manualTimers } from '../../device/manual-timers.ts';

const url = 'http://127.0.0.1:9';
const offline: typeof fetch = () => Promise.reject(new TypeError('no network'));
/** A storage in which the first write of the device row hangs until it is released. */
function hangingStorage(): { storage: AnyRxStorage; hung: () => Promise<unknown>; release: () => void } {
  const inner = memoryStorage();
  const waiting = new BehaviorSubject<(() => void) | undefined>(undefined);
  const storage: AnyRxStorage = {
    ...inner,
    createStorageInstance: async (params) => {
      const instance = await inner.createStorageInstance(params);
      const bulkWrite = instance.bulkWrite.bind(instance);
      instance.bulkWrite = async (rows, context) => {
        const isDevice = rows.some(({ document }) => (document as { id?: unknown }).id === deviceRowId);
        if (isDevice && !waiting.value) await new Promise<void>((resolve) => waiting.next(resolve));
        return bulkWrite(rows, context);
      };
      return instance;
    },
  };
  return {
    storage,
    hung: () => eventually(waiting, (release) => release !== undefined),
    release: () => waiting.value?.(),
  };
}

test('[STORAGE-73] a recovery that takes longer than the journal is waited for loses no work to a number that is given twice', async () => {
  const mirror = folderJournal(newFolder());
  const options = { url, fetch: offline, mirror };
  const before = await device({ ...options, name: 'before-it-went-back' });
  await before.createMap({ name: 'Saw' });
  await before.close();
  await copyDatabase({ from: 'before-it-went-back', to: 'went-back-slowly' });
  const lost = await device({ ...options, name: 'before-it-went-back' });
  await lost.createMap({ name: 'Press' });
  await lost.close();

  const { storage, hung, release } = hangingStorage();
  const { clock, fire } = manualTimers();
  const opening = device({ ...options, name: 'went-back-slowly', storage, clock });
  await hung();
  fire(journalTimeoutMs);
  const made = opening.then((phone) => phone.createMap({ name: 'Drill' }));
  // The storage is in memory, so an opening that does not wait would make its map within these turns.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  release();
  await made;
  const phone = await opening;
  expect((await current(phone.maps$)).map(({ name }) => name).toSorted()).toEqual(['Drill', 'Press', 'Saw']);
  await phone.close();

  const again = await device({ ...options, name: 'went-back-slowly', storage });
  expect((await current(again.maps$)).map(({ name }) => name).toSorted()).toEqual(['Drill', 'Press', 'Saw']);
  expect(await current(again.status$)).toMatchObject({ pending: 3, second_copy: 'kept' });
});
