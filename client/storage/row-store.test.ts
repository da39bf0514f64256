import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onIndexedDb, rowStorageDrivers, type OpenRowStorage } from '../../test/device/row-storages.ts';
import type { RowChange, RowStore } from './row-store.ts';

interface Body {
  text: string;
  list?: unknown[];
}

const collection = { name: 'rows', version: 0, isShared: false };
const opened = async (open: OpenRowStorage, databaseName: string = randomUUID()): Promise<RowStore<Body>> => {
  const store = await open(databaseName).open<Body>(collection);
  onTestFinished(() => store.close());
  return store;
};

const put = (id: string, text: string, revision = 1): RowChange<Body> => ({
  row: { id, revision, body: { text } },
  replacedRevision: revision === 1 ? undefined : revision - 1,
});
const removal = (id: string, revision: number): RowChange<Body> => ({
  row: { id, revision, body: null },
  replacedRevision: revision - 1,
});

describe.each(rowStorageDrivers)('%s', (_name, make) => {
  test('[STORAGE-70] rows come back as they were written, in their latest revision', async () => {
    const store = await opened(make());
    const body = { text: 'Größe ✓', list: [1.5, null, { '|bar': true }] };
    expect(
      await store.write([{ row: { id: 'a', revision: 1, body }, replacedRevision: undefined }, put('b', 'b1')]),
    ).toEqual([]);
    expect(await store.write([put('b', 'b2', 2), put('c', 'c1')])).toEqual([]);
    expect(await store.readAll()).toEqual([
      { id: 'a', revision: 1, body },
      { id: 'b', revision: 2, body: { text: 'b2' } },
      { id: 'c', revision: 1, body: { text: 'c1' } },
    ]);
    expect(await store.read(['b', 'never'])).toEqual([{ id: 'b', revision: 2, body: { text: 'b2' } }]);
  });

  test('[STORAGE-71] a removed row is a tombstone to who asks for its id, and may be put again over it', async () => {
    const store = await opened(make());
    await store.write([put('a', 'a1')]);
    await store.write([removal('a', 2)]);
    expect(await store.readAll()).toEqual([]);
    expect(await store.read(['a'])).toEqual([{ id: 'a', revision: 2, body: null }]);
    expect(await store.write([put('a', 'a3', 3)])).toEqual([]);
    expect(await store.readAll()).toEqual([{ id: 'a', revision: 3, body: { text: 'a3' } }]);
  });

  test.each([
    ['a row that is put is there already', put('a', 'late'), { id: 'a', revision: 2, body: { text: 'a2' } }],
    ['a row that is put has another revision', put('a', 'late', 4), { id: 'a', revision: 2, body: { text: 'a2' } }],
    ['a row that is put over is gone', put('never', 'late', 2), undefined],
    ['a row that is removed has another revision', removal('a', 2), { id: 'a', revision: 2, body: { text: 'a2' } }],
  ])('[STORAGE-30] a write is refused as a whole where %s', async (_why, change, stored) => {
    const store = await opened(make());
    await store.write([put('a', 'a1')]);
    await store.write([put('a', 'a2', 2)]);
    expect(await store.write([put('b', 'late'), change])).toEqual([{ id: change.row.id, stored }]);
    expect(await store.readAll()).toEqual([{ id: 'a', revision: 2, body: { text: 'a2' } }]);
  });

  test('[TABS-16] a write is refused as a whole where a fence has another revision, and leaves the fence as it is', async () => {
    const store = await opened(make());
    await store.write([put('fence', 'here')]);
    const stored = { id: 'fence', revision: 1, body: { text: 'here' } };
    expect(await store.write([put('a', 'late')], [{ id: 'fence', revision: 2 }])).toEqual([{ id: 'fence', stored }]);
    expect(await store.write([put('a', 'late')], [{ id: 'never', revision: 2 }])).toEqual([{ id: 'never' }]);
    expect(await store.write([put('a', 'a1')], [{ id: 'fence', revision: 1 }])).toEqual([]);
    expect(await store.read(['fence'])).toEqual([stored]);
  });

  test('[STORAGE-68] a purge leaves nothing of removed rows, and all others', async () => {
    const store = await opened(make());
    await store.write([put('a', 'a1'), put('b', 'b1')]);
    await store.write([removal('a', 2)]);
    await store.purge({ rowsMax: 10, keptMax: 1 });
    expect(await store.read(['a'])).toEqual([{ id: 'a', revision: 2, body: null }]);
    await store.purge({ rowsMax: 10 });
    expect(await store.read(['a', 'b'])).toEqual([{ id: 'b', revision: 1, body: { text: 'b1' } }]);
    expect(await store.write([put('a', 'again')])).toEqual([]);
  });

  test('[STORAGE-70] rows are there when the collection is opened again, and none once it was dropped', async () => {
    const [open, databaseName] = [make(), randomUUID()];
    // Keep one store open, since the memory storage deletes its data when the last store closes.
    await opened(open, databaseName);
    const first = await open(databaseName).open<Body>(collection);
    await first.write([put('a', 'a1')]);
    await first.close();
    const second = await open(databaseName).open<Body>(collection);
    expect(await second.readAll()).toEqual([{ id: 'a', revision: 1, body: { text: 'a1' } }]);
    await second.drop();
    expect(await (await opened(open, databaseName)).readAll()).toEqual([]);
  });
});

test('[STORAGE-72] what one driver wrote into IndexedDB the other one reads, and writes over', async () => {
  const { rxdb, direct } = onIndexedDb();
  for (const [writing, reading] of [
    [rxdb, direct],
    [direct, rxdb],
  ] as const) {
    const databaseName = randomUUID();
    const openedBy = (open: OpenRowStorage) => open(databaseName).open<Body>(collection);
    const first = await openedBy(writing);
    await first.write([put('a', 'a1'), put('b', 'b1')]);
    await first.write([removal('b', 2)]);
    await first.close();

    const other = await openedBy(reading);
    expect(await other.readAll()).toEqual([{ id: 'a', revision: 1, body: { text: 'a1' } }]);
    expect(await other.read(['b'])).toEqual([{ id: 'b', revision: 2, body: null }]);
    expect(await other.write([put('a', 'a2', 2), put('b', 'b3', 3)])).toEqual([]);
    await other.write([removal('a', 3)]);
    await other.purge({ rowsMax: 10 });
    await other.close();

    const last = await openedBy(writing);
    expect(await last.read(['a', 'b'])).toEqual([{ id: 'b', revision: 3, body: { text: 'b3' } }]);
    await last.close();
  }
});
