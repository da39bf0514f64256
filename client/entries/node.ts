/** The storage of devices in Node: an SQLite file, and a second copy in a folder. */
import { folderMirror } from '../node/file-mirror.ts';
import { openNodeDatabase } from '../node/node-sqlite.ts';
import type { Mirror } from '../storage/journal/mirror.ts';
import type { RowStoreFactory } from '../storage/row-store.ts';
import { sqliteRowStores } from '../storage/sqlite/sqlite-row-store.ts';

/**
 * Makes the `storage` of `openGemba` in an SQLite file, which is made if it does not exist; its folder must exist. Uses
 * `node:sqlite`, or the package `@photostructure/sqlite` where Node lacks it. The opening rejects like that of
 * `sqliteStorage`, and with `unsupported_platform` if there is neither.
 */
export const nodeStorage = (path: string): RowStoreFactory => sqliteRowStores(() => openNodeDatabase(path));

/**
 * Makes the `mirror` of `openGemba`: a second copy of unsent work in a folder, which is made if it does not exist. The
 * folder belongs to one device, which one process at a time opens. A folder on another disk survives the loss of the first.
 */
export const fileMirror = (folder: string): Mirror => folderMirror(folder);
