import { randomUUID } from 'node:crypto';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { fillWithDefaultSettings, type RxStorage } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { Subject } from 'rxjs';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cleanUp, lookThenWrite, type AtomicWrite, type Purge, type RowStorage, type Stored } from './atomic-write.ts';
import { purgeDirectly, readDirectly, writeDirectly, type DexieInstance } from './dexie-directly.ts';
import { StorageHealth } from './health.ts';
import { rowSchema } from './row-schema.ts';
import { Table, WriteConflict, type Written } from './table.ts';

interface Body {
  text: string;
}

interface Driver {
  storage: () => RxStorage<unknown, unknown>;
  driven: (instance: RowStorage<Body>) => { write: AtomicWrite<Body>; purge: Purge };
}

const drivers: [string, Driver][] = [
  [
    'RxDB in memory',
    {
      storage: () => getRxStorageMemory() as unknown as RxStorage<unknown, unknown>,
      driven: (instance) => ({ write: lookThenWrite(instance), purge: cleanUp(instance) }),
    },
  ],
  [
    'IndexedDB directly',
    {
      storage: () =>
        getRxStorageDexie({ indexedDB: new IDBFactory(), IDBKeyRange }) as unknown as RxStorage<unknown, unknown>,
      driven: (instance) => {
        const dexie = instance as unknown as DexieInstance;
        readDirectly(dexie);
        return { write: writeDirectly(dexie), purge: purgeDirectly(dexie) };
      },
    },
  ],
];

describe.each(drivers)('a table on %s', (_name, { storage, driven }) => {
  let tab: (options?: { fence?: string }) => Promise<{ table: Table<Body>; instance: RowStorage<Body> }>;
  const textsOf = (table: Table<Body>) => Object.fromEntries([...table.entries()].map(([id, { text }]) => [id, text]));

  /** Tabs on one database; none is told what the others write. */
  beforeEach(() => {
    vi.stubGlobal('IDBKeyRange', IDBKeyRange);
    onTestFinished(() => void vi.unstubAllGlobals());
    const of = storage();
    const databaseName = randomUUID();
    tab = async (options = {}) => {
      const instance = (await of.createStorageInstance({
        databaseInstanceToken: randomUUID(),
        databaseName,
        collectionName: 'rows',
        schema: fillWithDefaultSettings(rowSchema({ type: 'object' }, 0)) as never,
        options: {},
        multiInstance: false,
        devMode: false,
      })) as unknown as RowStorage<Body>;
      onTestFinished(() => instance.close());
      const { write, purge } = driven(instance);
      const told = new Subject<{ events: { documentData: Stored<Body> }[] }>();
      const deaf = Object.create(instance, { changeStream: { value: () => told } }) as RowStorage<Body>;
      const telling: AtomicWrite<Body> = async (writes, fences) => {
        const conflicts = await write(writes, fences);
        if (conflicts.length === 0) told.next({ events: writes.map(({ document }) => ({ documentData: document })) });
        return conflicts;
      };
      const table = Table.unread({ storage: deaf, write: telling, purge, health: new StorageHealth(), ...options });
      await table.refreshAll();
      return { table, instance };
    };
  });

  test('[TABS-16] what a tab decided on before another wrote over its fence is refused, whichever rows it is about', async () => {
    const fence = 'device';
    const [robbed, thief] = [await tab({ fence }), await tab({ fence })];
    await thief.table.write([{ id: fence, body: { text: 'as it was' } }]);
    await expect(robbed.table.write([{ id: 'a', body: { text: 'decided early' } }])).rejects.toThrow(WriteConflict);
    await robbed.table.write([{ id: 'b', body: { text: 'decided late' } }]);
    await thief.table.write([{ id: fence, body: { text: 'as it was' } }]);
    await expect(robbed.table.write([], ['b'])).rejects.toThrow(WriteConflict);
    await thief.table.refreshAll();
    expect(textsOf(thief.table)).toEqual({ device: 'as it was', b: 'decided late' });
  });

  test('[STORAGE-30] what another tab wrote while a write waited for the second copy is not written over', async () => {
    const [one, other] = [await tab(), await tab()];
    const meanwhile = async () => {
      await other.table.write([{ id: 'tap', body: { text: 'theirs' } }]);
      await one.table.refreshAll();
    };
    const copy = () => Promise.resolve(true);
    one.table.copyTo({ copy, settle: () => meanwhile(), refused: () => Promise.resolve() });
    await expect(one.table.write([{ id: 'tap', body: { text: 'mine' } }])).rejects.toThrow(WriteConflict);
    expect(textsOf(one.table)).toEqual({ tap: 'theirs' });
  });

  test('[STORAGE-42] a tombstone is written where no row ever stood, spares a row that stands, and gives way to a new one', async () => {
    const [one, other] = [await tab(), await tab()];
    await other.table.write([{ id: 'stands', body: { text: 'here' } }]);
    for (const { table } of [one, other]) await table.bury(['stands', 'never']);
    expect(textsOf(one.table)).toEqual({ stands: 'here' });
    expect(await one.table.removedOf(['stands', 'never'])).toEqual(new Set(['never']));
    await one.table.write([{ id: 'never', body: { text: 'now' } }]);
    await other.table.refreshAll();
    expect(textsOf(other.table)).toEqual({ stands: 'here', never: 'now' });
  });

  test('[STORAGE-30] a write is all or nothing: where another tab wrote one of its rows none is written', async () => {
    const { table: first } = await tab();
    await first.write([
      { id: 'a', body: { text: 'a1' } },
      { id: 'b', body: { text: 'b1' } },
    ]);
    const { table: second } = await tab();
    await first.write([{ id: 'b', body: { text: 'b2' } }]);
    const late = second.write(
      [
        { id: 'b', body: { text: 'late' } },
        { id: 'c', body: { text: 'late' } },
      ],
      ['a'],
    );
    await expect(late).rejects.toBeInstanceOf(WriteConflict);
    expect(textsOf(second)).toEqual({ a: 'a1', b: 'b2' });
    expect(textsOf((await tab()).table)).toEqual({ a: 'a1', b: 'b2' });
    await second.write([{ id: 'b', body: { text: 'b3' } }], ['a']);
    expect(textsOf((await tab()).table)).toEqual({ b: 'b3' });
  });

  test('[STORAGE-31] [STORAGE-68] a removed row leaves no body in the storage, and nothing once it is purged', async () => {
    const { table, instance } = await tab();
    await table.write([{ id: 'a', body: { text: 'long' } }]);
    await table.write([], ['a']);
    expect(await instance.findDocumentsById(['a'], true)).toMatchObject([{ _deleted: true, body: null }]);
    await table.purge(10);
    expect(await instance.findDocumentsById(['a'], true)).toEqual([]);
    await table.write([{ id: 'a', body: { text: 'again' } }]);
    expect(textsOf((await tab()).table)).toEqual({ a: 'again' });
  });

  test('[STORAGE-69] a row that was removed and purged does not come back by a tab that has not heard of it', async () => {
    const { table: first } = await tab();
    await first.write([{ id: 'a', body: { text: 'a1' } }]);
    const [{ table: second }, { table: third }] = [await tab(), await tab()];
    const seen: Written<Body>[] = [];
    third.written$.subscribe((written) => seen.push(written));
    await first.write([], ['a']);
    await first.purge(10);
    await expect(second.write([{ id: 'a', body: { text: 'late' } }])).rejects.toBeInstanceOf(WriteConflict);
    expect(second.get('a')).toBeUndefined();
    await third.refreshAll();
    expect(seen).toEqual([[{ id: 'a', body: undefined }]]);
    expect(textsOf((await tab()).table)).toEqual({});
  });
});
