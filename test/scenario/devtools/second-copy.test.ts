/** The inspector of a device on an SQLite file, with a second copy in a folder. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInspector } from '../../../client/entries/devtools.ts';
import { fileMirror, nodeStorage } from '../../../client/entries/node.ts';
import { device, manualSync, network } from '../../device/devices.ts';
import { breakableJournal, newFolder } from '../../device/folder-journal.ts';
import { newFile } from '../../device/sqlite/sqlite-files.ts';

test('[DEV-21] an inspector shows the tables of the storage, a second copy that has their rows, and one that is behind', async () => {
  const folder = join(newFolder(), 'second copy');
  const mirror = breakableJournal(fileMirror(folder));
  const inspector = createInspector();
  const phone = await device({
    url: 'http://127.0.0.1:9',
    storage: nodeStorage(newFile()),
    mirror,
    inspector,
    ...manualSync(network(false)),
  });
  const before = await inspector.snapshot(['journal']);
  expect(before.journal).toMatchObject({ state: 'kept', written_at: null });

  await phone.createMap({ name: 'Press line' });
  const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'Load' });
  const { journal, storage, taken_at } = await inspector.snapshot(['journal', 'storage']);
  expect(storage).toMatchObject({
    driver: 'sqlite',
    problem: null,
    collections: expect.arrayContaining([
      { name: 'outbox', rows: 2 },
      { name: 'drafts', rows: 2 },
    ]),
  });
  expect(journal).toEqual({ state: 'kept', rows: 4, written_at: expect.any(String), bytes: null });
  expect(journal.written_at! >= before.taken_at && journal.written_at! <= taken_at).toBe(true);
  const keys: string[] = [];
  await mirror.exchange(async (rows) => {
    keys.push(...rows.keys());
    return { changes: [] };
  });
  expect(keys.filter((key) => /^(?:outbox|drafts)\|/.test(key))).toHaveLength(journal.rows);

  mirror.isBroken = true;
  await recording.step({ stage_name: 'Press' });
  const behind = await inspector.snapshot(['journal']);
  expect(behind.journal).toMatchObject({ state: 'behind', written_at: journal.written_at });
});
