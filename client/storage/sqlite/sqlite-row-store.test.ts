import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import {
  adaptedDatabase,
  changedDatabase,
  newFile,
  rethrowingDatabase,
} from '../../../test/device/sqlite/sqlite-files.ts';
import { GembaError } from '../../core/errors.ts';
import { sqliteStorage, type SqliteDatabase } from '../../entries/native.ts';
import { nodeStorage } from '../../entries/node.ts';
import { openNodeDatabase } from '../../node/node-sqlite.ts';
import type { RowChange, RowStore, RowStoreFactory } from '../row-store.ts';

interface Body {
  text: string;
}

const collection = { name: 'rows', version: 0, isShared: false };
const opened = async (storage: RowStoreFactory, databaseName = 'device'): Promise<RowStore<Body>> => {
  const store = await storage.open<Body>({ ...collection, databaseName });
  onTestFinished(() => store.close());
  return store;
};
const put = (id: string, text = id, revision = 1): RowChange<Body> => ({
  row: { id, revision, body: { text } },
  replacedRevision: revision === 1 ? undefined : revision - 1,
});
const errorOf = async (opening: Promise<unknown>): Promise<GembaError> => {
  const error: unknown = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GembaError);
  return error as GembaError;
};

test('[STORAGE-84] each commit is flushed to the disk: the file is in WAL mode, and synchronous is FULL', async () => {
  const database = await openNodeDatabase(newFile());
  const store = await opened(sqliteStorage(database));
  await store.write([put('a')]);
  const pragmas = ['journal_mode', 'synchronous', 'fullfsync', 'locking_mode'];
  const values = await Promise.all(pragmas.map(async (name) => (await database.all(`PRAGMA ${name}`, []))[0]?.[name]));
  expect(values).toEqual(['wal', 2, 1, 'exclusive']);
});

test.each([
  ['a library that leaves synchronous as it is', () => withoutPragma('synchronous = FULL', 'synchronous = NORMAL')],
  ['a library that leaves the journal as it is', () => withoutPragma('journal_mode = WAL', 'journal_mode = MEMORY')],
  ['a database in memory', () => openNodeDatabase(':memory:')],
])('[STORAGE-84] %s is refused, since it may lose what it committed', async (_name, open) => {
  const error = await errorOf(sqliteStorage(await open()).open(collection));
  expect(error).toMatchObject({ code: 'storage_unusable', message: expect.stringContaining('does not keep') });
});

const withoutPragma = (asked: string, kept: string): Promise<SqliteDatabase> =>
  changedDatabase(newFile(), (sql) => sql.replace(asked, kept));

test('[STORAGE-85] a second engine on one file is refused, on a connection of its own and on the same one', async () => {
  const path = newFile();
  const database = await openNodeDatabase(path);
  const first = await sqliteStorage(database).open<Body>(collection);
  for (const storage of [nodeStorage(path), sqliteStorage(database), sqliteStorage({ ...database })]) {
    expect(await errorOf(storage.open(collection))).toMatchObject({ code: 'storage_in_use' });
  }
  await first.write([put('a')]);
  await first.close();
  expect(await (await opened(nodeStorage(path))).readAll()).toHaveLength(0);
});

test('[STORAGE-96] row stores of one storage hear of each other’s writes, and the later write of a row is a conflict', async () => {
  const storage = nodeStorage(newFile());
  const [first, second] = [await opened(storage), await opened(storage)];
  const heard = firstValueFrom(second.changes$);
  expect(await first.write([put('a')])).toEqual([]);
  expect(await heard).toEqual([put('a').row]);
  expect(await second.write([put('a', 'late'), put('b')])).toEqual([{ id: 'a', stored: put('a').row }]);
});

test('[STORAGE-86] devices of several names have rows of their own in one file, also where only the case differs', async () => {
  const storage = nodeStorage(newFile());
  const names = ['press', 'Press', 'press 0', 'Größe "7"', ''];
  const stores = await Promise.all(names.map((name) => opened(storage, name)));
  for (const [index, store] of stores.entries()) await store.write([put('a', String(index))]);
  const rows = await Promise.all(stores.map((store) => store.readAll()));
  expect(rows.map(([row]) => row?.body?.text)).toEqual(['0', '1', '2', '3', '4']);
});

test('[STORAGE-87] a file that is no database is refused and left as it is', async () => {
  const path = newFile();
  writeFileSync(path, 'The notes of a meeting, which are no database at all.\n'.repeat(40));
  const before = readFileSync(path);
  const error = await errorOf(nodeStorage(path).open(collection));
  expect(error).toMatchObject({ code: 'storage_unusable', message: expect.stringContaining('no SQLite database') });
  expect(readFileSync(path)).toEqual(before);
});

test('[STORAGE-87] a damaged file is refused, and so is one in a folder that does not exist', async () => {
  const path = newFile();
  const store = await nodeStorage(path).open<Body>(collection);
  await store.write(Array.from({ length: 500 }, (_, index) => put(`row ${index}`)));
  await store.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x7a, 100, 4096));
  expect(await errorOf(nodeStorage(path).open(collection))).toMatchObject({ code: 'storage_unusable' });

  const error = await errorOf(nodeStorage(`${dirname(path)}/missing/device.db`).open(collection));
  expect(error).toMatchObject({ code: 'storage_unusable', message: expect.stringContaining('folder') });
});

test.each([
  ['in WAL mode', 'WAL'],
  ['with a rollback journal', 'DELETE'],
])('[STORAGE-87] a read-only file %s is refused', async (_name, journalMode) => {
  const path = newFile();
  const database = await openNodeDatabase(path);
  await database.exec(`PRAGMA journal_mode = ${journalMode}`);
  await database.exec('CREATE TABLE notes (text)');
  await database.close?.();
  const readOnly = await openNodeDatabase(path, { readOnly: true });
  const error = await errorOf(sqliteStorage(readOnly).open(collection));
  expect(error).toMatchObject({ code: 'storage_unusable', message: expect.stringContaining('read-only') });
});

test.each([
  ['a library that rolls back by itself', openNodeDatabase],
  ['a library that throws the error of its rollback', rethrowingDatabase],
])('[STORAGE-88] a write that finds the disk full changes nothing and says so, with %s', async (_name, open) => {
  const database = await open(newFile());
  const store = await opened(sqliteStorage(database));
  await store.write([put('a')]);
  const [{ page_count: pages } = {}] = await database.all('PRAGMA page_count', []);
  await database.exec(`PRAGMA max_page_count = ${Number(pages)}`);
  const large = [put('a', 'late', 2), put('b', 'x'.repeat(100_000))];
  await expect(store.write(large)).rejects.toMatchObject({ name: 'QuotaExceededError' });
  expect(await store.readAll()).toEqual([put('a').row]);
  await database.exec('PRAGMA max_page_count = 1000000');
  expect(await store.write(large)).toEqual([]);
});

test('[STORAGE-89] a connection that was closed under the engine makes its work fail as lost, and closes without an error', async () => {
  const database = await openNodeDatabase(newFile());
  const store = await sqliteStorage(database).open<Body>(collection);
  await store.write([put('a')]);
  await database.close?.();
  await expect(store.write([put('b')])).rejects.toMatchObject({ name: 'UnknownError' });
  await store.close();
});

test('[STORAGE-98] an adapter of three methods is enough: its connection stays open, and the storage opens on it again', async () => {
  const database = adaptedDatabase();
  const storage = sqliteStorage(database);
  const first = await storage.open<Body>({ ...collection, databaseName: 'device' });
  await first.write([put('a')]);
  await first.close();
  const second = await opened(storage);
  expect(await second.readAll()).toEqual([put('a').row]);
  expect(await errorOf(sqliteStorage(database).open(collection))).toMatchObject({ code: 'storage_in_use' });
});

test('[STORAGE-70] one write and one read take 10,000 rows of SQLite', async () => {
  const store = await opened(nodeStorage(newFile()));
  const changes = Array.from({ length: 10_000 }, (_, index) => put(`row ${String(index).padStart(5, '0')}`));
  expect(await store.write(changes)).toEqual([]);
  expect(await store.readAll()).toEqual(changes.map(({ row }) => row));
  expect(await store.read(changes.map(({ row }) => row.id))).toHaveLength(10_000);
});

test('[STORAGE-85] an opening that failed leaves no lock, and the storage opens at the next attempt', async () => {
  const path = newFile();
  let isBroken = true;
  const storage = sqliteStorage(
    await changedDatabase(path, (sql) => {
      if (isBroken && sql.includes('journal_mode')) throw new Error('disk I/O error');
      return sql;
    }),
  );
  const openings = await Promise.allSettled([storage.open(collection), storage.open(collection)]);
  expect(openings.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  await opened(nodeStorage(path));
});

test.skipIf(process.platform === 'win32')(
  '[STORAGE-90] other users of the computer cannot read a new file',
  async () => {
    const path = newFile();
    const store = await opened(nodeStorage(path));
    await store.write([put('a')]);
    expect([path, `${path}-wal`].map((file) => statSync(file).mode & 0o077)).toEqual([0, 0]);
  },
);
