/** Stores rows in SQLite: one table for each collection, and one transaction for each write. */
import { Subject } from 'rxjs';
import { filter, map } from 'rxjs/operators';
import {
  conflictsOf,
  expectedRevisionsOf,
  type Collection,
  type RowChange,
  type RowConflict,
  type RowStore,
  type RowStoreFactory,
  type StoredRow,
} from '../row-store.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import type { SqliteDatabase, SqliteRow, SqliteValue } from './sqlite-database.ts';

/** A write that one row store announces to the other row stores of the same table. */
interface TableWrite {
  store: object;
  table: string;
  rows: StoredRow<unknown>[];
}

/**
 * Opens the database with the first row store and closes it with the last. A row store announces its writes to the
 * other row stores of its collection. No other factory can open the file meanwhile.
 */
export function sqliteRowStores(openDatabase: () => Promise<SqliteDatabase>): RowStoreFactory {
  const written = new Subject<TableWrite>();
  let connection: Promise<SqliteConnection> | undefined;
  let closing: Promise<void> = Promise.resolve();
  let users = 0;
  const acquire = async (): Promise<SqliteConnection> => {
    users++;
    try {
      return await (connection ??= closing.then(() => SqliteConnection.open(openDatabase)));
    } catch (error) {
      if (--users === 0) connection = undefined;
      throw error;
    }
  };
  const release = async (): Promise<void> => {
    if (--users > 0) return;
    closing = connection?.then((open) => open.close()) ?? closing;
    connection = undefined;
    await closing;
  };
  return {
    driver: 'sqlite',
    open: async (collection) => sqliteRowStore({ connection: await acquire(), collection, written, release }),
  };
}

interface StoreOptions {
  connection: SqliteConnection;
  collection: Collection;
  written: Subject<TableWrite>;
  release: () => Promise<void>;
}

function sqliteRowStore<Body>({ connection, collection, written, release }: StoreOptions): RowStore<Body> {
  const store = {};
  const table = tableNameOf(collection);
  const changes = new Subject<StoredRow<Body>[]>();
  const subscription = written
    .pipe(
      filter((one) => one.table === table && one.store !== store),
      map(({ rows }) => rows as StoredRow<Body>[]),
    )
    .subscribe(changes);
  let creating: Promise<void> | undefined;
  // Create the table at its first use, not in `open`: if the creation failed there, nobody would close the row store.
  const created = (): Promise<void> =>
    (creating ??= createTable(connection, table).catch((error: unknown) => {
      creating = undefined;
      throw error;
    }));
  const close = async (work?: () => Promise<unknown>) => {
    subscription.unsubscribe();
    changes.complete();
    try {
      await work?.();
    } finally {
      await release();
    }
  };
  return {
    name: collection.name,
    changes$: changes.asObservable(),
    readAll: async () => {
      await created();
      const rows = await connection.all(`SELECT ${columnNames} FROM ${table} WHERE body IS NOT NULL ORDER BY id`, []);
      return rows.map((row) => storedRowOf<Body>(row));
    },
    read: async (ids) => {
      await created();
      return readRows((sql, params) => connection.all(sql, params), table, ids);
    },
    write: async (writes, fences = []) => {
      await created();
      let conflicts: RowConflict<Body>[] = [];
      await connection.transaction(async (all) => {
        const expected = expectedRevisionsOf(writes, fences);
        const ids = expected.map(({ id }) => id);
        // Read the bodies only of rows that conflict, since a pull replaces many rows.
        const found = await readInParts(ids, (part) =>
          all(`SELECT id, revision FROM ${table} WHERE id IN (${placeholdersFor(part)})`, part),
        );
        const conflicting = conflictsOf(
          expected,
          found.map((row) => storedRowOf<Body>(row)),
        ).map(({ id }) => id);
        if (conflicting.length === 0) return putRows(all, table, writes);
        const stored = await readRows<Body>(all, table, conflicting);
        conflicts = conflictsOf(expected, [...found.map((row) => storedRowOf<Body>(row)), ...stored]);
        return undefined;
      });
      if (conflicts.length === 0) written.next({ store, table, rows: writes.map(({ row }) => row) });
      return conflicts;
    },
    purge: async ({ rowsMax, keptMax = 0 }) => {
      await created();
      await connection.transaction(async (all) => {
        const [counted] = await all(`SELECT count(*) AS removed FROM ${table} WHERE body IS NULL`, []);
        if (Number(counted?.['removed']) <= keptMax) return;
        await all(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE body IS NULL LIMIT ?)`, [rowsMax]);
      });
    },
    drop: () => close(() => connection.exec(`DROP TABLE IF EXISTS ${table}`)),
    close: () => close(),
  };
}

/** Encodes every character except a to z and 0 to 9, since SQLite ignores the case of table names. */
function tableNameOf({ databaseName = '', name, version }: Collection): string {
  const encoded = [databaseName, name].map((text) =>
    text.replaceAll(/[^a-z0-9]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`),
  );
  return `"gemba ${encoded.join(' ')} ${version}"`;
}

/**
 * Stores rows in the order of writing, with an index of their ids. A table in the order of the random ids would make a
 * pull write each page of the file again (docs/decisions/0113-sqlite-on-a-device.md).
 */
function createTable(connection: SqliteConnection, table: string): Promise<void> {
  const shape = '(id TEXT PRIMARY KEY NOT NULL, revision INTEGER NOT NULL, body TEXT)';
  const index = table.replace(/"$/, ' removed"');
  return connection.transaction(async (all) => {
    await all(`CREATE TABLE IF NOT EXISTS ${table} ${shape}`, []);
    await all(`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (id) WHERE body IS NULL`, []);
  });
}

const columnNames = 'id, revision, body';

/** Both limits keep a statement below 999 parameters, the limit of older versions of SQLite. */
const idsPerStatementMax = 500;
const rowsPerStatementMax = 100;

const placeholdersFor = (values: unknown[]): string => values.map(() => '?').join(',');

async function readInParts(ids: string[], read: (part: string[]) => Promise<SqliteRow[]>): Promise<SqliteRow[]> {
  const rows: SqliteRow[][] = [];
  for (const part of chunksOf(ids, idsPerStatementMax)) rows.push(await read(part));
  return rows.flat();
}

async function readRows<Body>(all: SqliteDatabase['all'], table: string, ids: string[]): Promise<StoredRow<Body>[]> {
  const select = `SELECT ${columnNames} FROM ${table} WHERE id IN`;
  const rows = await readInParts(ids, (part) => all(`${select} (${placeholdersFor(part)})`, part));
  return rows.map((row) => storedRowOf<Body>(row));
}

async function putRows<Body>(all: SqliteDatabase['all'], table: string, writes: RowChange<Body>[]): Promise<void> {
  for (const part of chunksOf(writes, rowsPerStatementMax)) {
    const values = part.flatMap(({ row: { id, revision, body } }): SqliteValue[] => [
      id,
      revision,
      body === null ? null : JSON.stringify(body),
    ]);
    await all(`REPLACE INTO ${table} (${columnNames}) VALUES ${part.map(() => '(?,?,?)').join(',')}`, values);
  }
}

const chunksOf = <Item>(items: Item[], length: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / length) }, (_, index) =>
    items.slice(index * length, (index + 1) * length),
  );

/** The cast to `Body` is safe, since only one table of the engine writes the collection. */
const storedRowOf = <Body>({ id, revision, body }: SqliteRow): StoredRow<Body> => ({
  id: id as string,
  revision: revision as number,
  body: typeof body === 'string' ? (JSON.parse(body) as Body) : null,
});
