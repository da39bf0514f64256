import { expect, test } from 'vitest';
import { Tab } from '../../fleet/tab.ts';
import { Browser } from './browser.ts';
import { Disk, createEmptyImage } from './disk.ts';
import { fewTurns } from '../turns.ts';
import { VirtualTime } from '../virtual-time.ts';

const time = new VirtualTime();
const newTab = () => new Tab({ timers: time.timers(), dieAt: undefined });
const never = () => new Promise<never>(() => {});

test('[SIM-26] a lock passes on from a tab that dies, and is stolen from one that is frozen, which learns of it when it wakes', async () => {
  const browser = new Browser();
  const [first, second, third] = [newTab(), newTab(), newTab()];
  const [locks, others, thieves] = [first, second, third].map((tab) => browser.platformFor(tab).locks);
  const got: string[] = [];
  void locks!.request('a', () => (got.push('first'), never()));
  const lost = others!.request('a', () => (got.push('second'), never())).catch((error: Error) => got.push(error.name));
  await fewTurns();
  expect(got).toEqual(['first']);
  expect((await others!.query()).held?.map(({ clientId }) => clientId)).toEqual(['1']);

  browser.free(first);
  await fewTurns();
  second.isFrozen = true;
  void thieves!.request('a', { steal: true }, () => (got.push('thief'), never()));
  await fewTurns();
  expect(got).toEqual(['first', 'second', 'thief']);
  second.isFrozen = false;
  await lost;
  expect(got.at(-1)).toBe('AbortError');
  expect([browser.leftBy(second), browser.leftBy(third)]).toEqual([[], ['holds a']]);
});

test('[SIM-26] the other tabs hear of a write, unless the tab dies in between', async () => {
  const disk = new Disk(createEmptyImage(false));
  const [writer, reader] = [newTab(), newTab()];
  const open = (tab: Tab) => disk.storageFor(tab).open<string>({ name: 'rows', version: 0, isShared: true });
  const [rows, seen] = [await open(writer), await open(reader)];
  const heard: string[] = [];
  seen.changes$.subscribe((written) => heard.push(...written.map(({ id }) => id)));
  const put = (id: string) => rows.write([{ row: { id, revision: 1, body: id }, replacedRevision: undefined }]);
  await put('told');
  await fewTurns();
  writer.diesUntold = true;
  await expect(put('untold')).rejects.toThrow('before other tabs hear');
  await fewTurns();
  expect(heard).toEqual(['told']);
  expect((await seen.readAll()).map(({ id }) => id)).toEqual(['told', 'untold']);
});

test('[SIM-26] a write of several rows is refused as a whole where a row or a fence has another revision', async () => {
  const disk = new Disk(createEmptyImage(false));
  const rows = await disk.storageFor(newTab()).open<string>({ name: 'rows', version: 0, isShared: true });
  const put = (id: string, revision: number) => ({
    row: { id, revision, body: id },
    replacedRevision: revision === 1 ? undefined : revision - 1,
  });
  await rows.write([put('fence', 1)]);
  expect(await rows.write([put('a', 1)], [{ id: 'fence', revision: 2 }])).toHaveLength(1);
  expect(await rows.write([put('b', 1), put('c', 3)])).toHaveLength(1);
  expect((await rows.readAll()).map(({ id }) => id)).toEqual(['fence']);
});

test('[SIM-26] a tab that died opens no channel, though its code runs on', () => {
  const [browser, tab] = [new Browser(), newTab()];
  const { channel } = browser.platformFor(tab);
  channel('before');
  expect(browser.counts.channels).toBe(1);
  tab.faults.dead = true;
  browser.free(tab);
  channel('after');
  expect(browser.counts.channels).toBe(0);
});
