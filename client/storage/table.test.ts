import { randomUUID } from 'node:crypto';
import { NEVER } from 'rxjs';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { rowStorageDrivers } from '../../test/device/row-storages.ts';
import { StorageHealth } from './storage-health.ts';
import type { WrittenRows } from './row-cache.ts';
import type { RowStore } from './row-store.ts';
import { Table, WriteConflict } from './table.ts';

interface Body {
  text: string;
}

describe.each(rowStorageDrivers)('a table on %s', (_name, make) => {
  let tab: (options?: { fenceRowId?: string }) => Promise<{ table: Table<Body>; store: RowStore<Body> }>;
  const textsOf = (table: Table<Body>) => Object.fromEntries([...table.entries()].map(([id, { text }]) => [id, text]));

  /** Opens several tabs on one database, without messages about each other's writes. */
  beforeEach(() => {
    const [open, databaseName] = [make(), randomUUID()];
    tab = async (options = {}) => {
      const store = await open(databaseName).open<Body>({ name: 'rows', version: 0, isShared: false });
      onTestFinished(() => store.close());
      const table = new Table({
        store: { ...store, changes$: NEVER },
        health: new StorageHealth(),
        wallMs: Date.now,
        ...options,
      });
      await table.refreshAll();
      return { table, store };
    };
  });

  test('[TABS-16] what a tab decided on before another wrote over its fence is refused, whichever rows it is about', async () => {
    const fenceRowId = 'device';
    const [robbed, thief] = [await tab({ fenceRowId }), await tab({ fenceRowId })];
    await thief.table.write([{ id: fenceRowId, body: { text: 'as it was' } }]);
    await expect(robbed.table.write([{ id: 'a', body: { text: 'decided early' } }])).rejects.toThrow(WriteConflict);
    await robbed.table.write([{ id: 'b', body: { text: 'decided late' } }]);
    await thief.table.write([{ id: fenceRowId, body: { text: 'as it was' } }]);
    await expect(robbed.table.write([], ['b'])).rejects.toThrow(WriteConflict);
    await thief.table.refreshAll();
    expect(textsOf(thief.table)).toEqual({ device: 'as it was', b: 'decided late' });
  });

  test('[TABS-28] listeners of a tab that missed a write hear of its new and its removed rows at once', async () => {
    const [one, other] = [await tab(), await tab()];
    await other.table.write([{ id: 'run', body: { text: 'there' } }]);
    await one.table.refreshAll();
    await other.table.write([{ id: 'map', body: { text: 'without its run' } }], ['run']);
    const seen: object[] = [];
    one.table.onWrite('derived', () => seen.push(textsOf(one.table)));
    await one.table.refreshAll();
    expect(seen).toEqual([{ map: 'without its run' }]);
  });

  test('[TABS-31] listeners of a tab whose write lost to that of another hear of all rows of the other at once', async () => {
    const [one, other] = [await tab(), await tab()];
    await other.table.write([{ id: 'device', body: { text: 'old client id' } }]);
    await other.table.write([{ id: 'mutation|old', body: { text: 'Saw' } }]);
    await one.table.refreshAll();
    const renumbered = [
      { id: 'device', body: { text: 'new client id' } },
      { id: 'mutation|new', body: { text: 'Saw' } },
    ];
    await other.table.write(renumbered, ['mutation|old']);
    const seen: object[] = [];
    one.table.onWrite('derived', () => seen.push(textsOf(one.table)));
    const write = one.table.write([{ id: 'device', body: { text: 'mine' } }], ['mutation|old']);
    await expect(write).rejects.toThrow(WriteConflict);
    expect(seen).toEqual([{ device: 'new client id', 'mutation|new': 'Saw' }]);
  });

  test('[STORAGE-83] what a write stored after its timeout is in memory, though the storage tells nobody of it', async () => {
    const { store } = await tab();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let giveUp = (): void => {};
    const hanging: RowStore<Body> = {
      ...store,
      changes$: NEVER,
      write: (...args) => released.then(() => store.write(...args)),
    };
    const schedule = (_ms: number, run: () => void) => {
      giveUp = run;
      return () => undefined;
    };
    const table = new Table<Body>({ store: hanging, health: new StorageHealth(), wallMs: Date.now, schedule });
    const write = table.write([{ id: 'tap', body: { text: 'late' } }]);
    giveUp();
    await expect(write).rejects.toThrow('does not answer');
    expect(textsOf(table)).toEqual({});
    release();
    // The storage has the row long before the tenth of these reads ends.
    for (let reads = 0; reads < 10 || (await store.read(['tap'])).length === 0; reads++) await store.readAll();
    expect(textsOf(table)).toEqual({ tap: 'late' });
  });

  test('[STORAGE-30] what another tab wrote while a write waited for the second copy is not written over', async () => {
    const [one, other] = [await tab(), await tab()];
    const meanwhile = async () => {
      await other.table.write([{ id: 'tap', body: { text: 'theirs' } }]);
      await one.table.refreshAll();
    };
    const write = () => Promise.resolve(true);
    one.table.setJournal({ write, beforeWrite: () => meanwhile(), onWriteFailed: () => Promise.resolve() });
    await expect(one.table.write([{ id: 'tap', body: { text: 'mine' } }])).rejects.toThrow(WriteConflict);
    expect(textsOf(one.table)).toEqual({ tap: 'theirs' });
  });

  test('[STORAGE-81] a write ends after the journal has it', async () => {
    const { table, store } = await tab();
    const ended: string[] = [];
    let end = (_isStored: boolean) => {};
    const journaled = new Promise<boolean>((resolve) => (end = resolve));
    table.setJournal({ write: () => journaled, beforeWrite: () => undefined, onWriteFailed: () => Promise.resolve() });
    const written = table.write([{ id: 'tap', body: { text: 'mine' } }]).then(() => ended.push('write'));
    // The database has the row long before the tenth of these reads ends.
    for (let reads = 0; reads < 10 || (await store.read(['tap'])).length === 0; reads++) await store.readAll();
    ended.push('journal');
    end(true);
    await written;
    expect(ended).toEqual(['journal', 'write']);
  });

  test('[STORAGE-42] a tombstone is written where no row ever stood, spares a row that stands, and gives way to a new one', async () => {
    const [one, other] = [await tab(), await tab()];
    await other.table.write([{ id: 'stands', body: { text: 'here' } }]);
    for (const { table } of [one, other]) await table.writeTombstones(['stands', 'never']);
    expect(textsOf(one.table)).toEqual({ stands: 'here' });
    expect(await one.table.findRemoved(['stands', 'never'])).toEqual(new Set(['never']));
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
    const { table, store } = await tab();
    await table.write([{ id: 'a', body: { text: 'long' } }]);
    await table.write([], ['a']);
    expect(await store.read(['a'])).toMatchObject([{ body: null }]);
    await table.purge({ rowsMax: 10 });
    expect(await store.read(['a'])).toEqual([]);
    await table.write([{ id: 'a', body: { text: 'again' } }]);
    expect(textsOf((await tab()).table)).toEqual({ a: 'again' });
  });

  test('[STORAGE-69] a row that was removed and purged does not come back by a tab that has not heard of it', async () => {
    const { table: first } = await tab();
    await first.write([{ id: 'a', body: { text: 'a1' } }]);
    const [{ table: second }, { table: third }] = [await tab(), await tab()];
    const seen: WrittenRows<Body>[] = [];
    third.onWrite('derived', (written) => void seen.push(written));
    await first.write([], ['a']);
    await first.purge({ rowsMax: 10 });
    await expect(second.write([{ id: 'a', body: { text: 'late' } }])).rejects.toBeInstanceOf(WriteConflict);
    expect(second.get('a')).toBeUndefined();
    await third.refreshAll();
    expect(seen).toEqual([[{ id: 'a', body: undefined }]]);
    expect(textsOf((await tab()).table)).toEqual({});
  });
});
