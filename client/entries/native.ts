/**
 * The package's entry `gemba/native`: the storage of a device in an SQLite library, such as the ones for React Native.
 */
import type { RowStoreFactory } from '../storage/row-store.ts';
import type { SqliteDatabase } from '../storage/sqlite/sqlite-database.ts';
import { sqliteRowStores } from '../storage/sqlite/sqlite-row-store.ts';

export type { SqliteDatabase, SqliteRow, SqliteValue } from '../storage/sqlite/sqlite-database.ts';

/**
 * Makes the `storage` of `openGemba` from an SQLite connection that nothing else uses. Several devices may share one
 * file under different names. The opening rejects with `storage_in_use` if another engine has the file open, with
 * `storage_full`, and with `storage_unusable` if the file is no database, is read-only, or does not keep what it
 * committed.
 */
export const sqliteStorage = (database: SqliteDatabase): RowStoreFactory => sqliteRowStores(async () => database);
