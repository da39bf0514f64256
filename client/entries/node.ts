/**
 * The package's entry `gemba/node`: the storage of a device in an SQLite file, and a second copy of unsent work in a
 * folder.
 */
import { folderMirror } from '../node/file-mirror.ts';
import { openNodeDatabase } from '../node/node-sqlite.ts';
import type { Mirror } from '../storage/journal/mirror.ts';
import type { RowStoreFactory } from '../storage/row-store.ts';
import { sqliteRowStores } from '../storage/sqlite/sqlite-row-store.ts';

/**
 * Makes the `storage` of `openGemba` in an SQLite file, which is made if it does not exist; its folder must exist. Uses
 * `node:sqlite`, or the package `@photostructure/sqlite` where Node lacks `node:sqlite`. The opening rejects with
 * `storage_full`, `storage_in_use` or `storage_unusable`, as for `sqliteStorage`, and with `unsupported_platform` if
 * Node has neither of the two libraries.
 */
export const nodeStorage = (path: string): RowStoreFactory => sqliteRowStores(() => openNodeDatabase(path));

/**
 * Makes the `mirror` of `openGemba`: a second copy of unsent work in a folder, which is made if it does not exist. Each
 * device needs a folder of its own, which one process at a time opens. A folder on another disk survives the loss of
 * the first disk.
 */
export const fileMirror = (folder: string): Mirror => folderMirror(folder);
