/** The one device of a test's process: all of it in an SQLite file, or its records in memory and its journal in a folder. */
import { join } from 'node:path';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { openGemba, type Gemba } from '../../client/client.ts';
import { nodeStorage } from '../../client/entries/node.ts';
import type { AnyRxStorage } from '../rx-storage.ts';
import { folderJournal } from './disk-journal.ts';

/** The file in its folder that has all of a device. */
export const deviceFile = 'device.db';

/** Opens the device that the arguments of the process name: the folder, the server's URL, the token and `sqlite`. */
export function openDeviceOfProcess(): Promise<Gemba> {
  const [, , folder = '', url = '', token = '', storage] = process.argv;
  const parts =
    storage === 'sqlite'
      ? { storage: nodeStorage(join(folder, deviceFile)) }
      : { storage: getRxStorageMemory() as unknown as AnyRxStorage, mirror: folderJournal(folder) };
  return openGemba({ name: 'device', url, token, ...parts });
}
