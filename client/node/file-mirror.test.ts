import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/device/folder-journal.ts';
import type { JournalRows } from '../storage/journal/mirror.ts';
import { fileMirror } from '../entries/node.ts';

const newPath = (): string => join(newFolder(), 'second copy');

async function rowsIn(folder: string): Promise<JournalRows> {
  let found: JournalRows = new Map();
  await fileMirror(folder).exchange(async (rows) => {
    found = new Map(rows);
    return { changes: [] };
  });
  return found;
}

test('[STORAGE-97] what was written is there after the files were closed, and the folder is made by the first write', async () => {
  const folder = newPath();
  const mirror = fileMirror(folder);
  expect(await mirror.exists()).toBe(false);
  await mirror.write([['outbox|device', { at: 1 }]]);
  await mirror.write([
    ['drafts|a', { at: 2 }],
    ['outbox|device', { at: 3 }],
  ]);
  mirror.giveUp();
  expect(await mirror.exists()).toBe(true);
  expect(await rowsIn(folder)).toEqual(
    new Map([
      ['outbox|device', { at: 3 }],
      ['drafts|a', { at: 2 }],
    ]),
  );
});

test('[STORAGE-97] two mirrors of one folder in a process write one log', async () => {
  const folder = newPath();
  const [first, second] = [fileMirror(folder), fileMirror(join(folder, '.'))];
  await Promise.all(
    [first, second, first, second].map((mirror, index) => mirror.write([[`drafts|${index}`, { index }]])),
  );
  first.giveUp();
  expect((await rowsIn(folder)).size).toBe(4);
});

test('[STORAGE-97] an exchange that was given up writes nothing, and writes go on after it', async () => {
  const folder = newPath();
  const mirror = fileMirror(folder);
  await mirror.write([['drafts|a', {}]]);
  const exchange = mirror.exchange(async () => {
    mirror.giveUp();
    return { changes: [['drafts|a', null]] };
  });
  await expect(exchange).rejects.toThrow('cancelled');
  await mirror.write([['drafts|b', {}]]);
  expect([...(await rowsIn(folder)).keys()]).toEqual(['drafts|a', 'drafts|b']);
});

test('[STORAGE-97] an error of `decide` leaves the log as it is', async () => {
  const folder = newPath();
  await fileMirror(folder).write([['drafts|a', {}]]);
  await expect(fileMirror(folder).exchange(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([...(await rowsIn(folder)).keys()]).toEqual(['drafts|a']);
});

test('[STORAGE-78] a second copy in a folder tells the room on its disk', async () => {
  const folder = newPath();
  const mirror = fileMirror(folder);
  await mirror.write([['drafts|a', {}]]);
  expect(await mirror.hasRoom?.(1)).toBe(true);
  expect(await mirror.hasRoom?.(Number.MAX_SAFE_INTEGER)).toBe(false);
});

test.skipIf(process.platform === 'win32')('[STORAGE-90] other users cannot read a second copy', async () => {
  const folder = newPath();
  await fileMirror(folder).write([['drafts|a', {}]]);
  const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
  expect(paths.map((path) => statSync(path).mode & 0o077)).toEqual([0, 0, 0]);
});
