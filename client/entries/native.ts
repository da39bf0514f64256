/**
 * The package's entry `gemba/native`: stores the data of a device through an SQLite library, such as one for React
 * Native.
 */
import type { RowStoreFactory } from '../storage/row-store.ts';
import type { SqliteDatabase } from '../storage/sqlite/sqlite-database.ts';
import { sqliteRowStores } from '../storage/sqlite/sqlite-row-store.ts';

export type { SqliteDatabase, SqliteRow, SqliteValue } from '../storage/sqlite/sqlite-database.ts';

/**
 * Makes the `storage` of `openGemba` from an SQLite connection that nothing else uses. Several devices may share one
 * file under different names. The opening rejects with `storage_full` if the disk is full, with `storage_in_use` if
 * another engine has the file open, and with `storage_unusable` if the file is no database, is read-only, or does not
 * keep committed data.
 */
export const sqliteStorage = (database: SqliteDatabase): RowStoreFactory => sqliteRowStores(async () => database);
