/** The one device of a test's process. Its records are in memory, its journal is in a folder. */
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { openGemba, type Gemba } from '../../client/client.ts';
import type { AnyRxStorage } from './rx-storage.ts';
import { folderJournal } from './disk-journal.ts';

/** Opens the device that the arguments of the process name: the folder, the server's URL and the token. */
export function openDeviceOfProcess(): Promise<Gemba> {
  const [, , folder = '', url = '', token = ''] = process.argv;
  return openGemba({
    name: 'device',
    url,
    token,
    storage: getRxStorageMemory() as unknown as AnyRxStorage,
    mirror: folderJournal(folder),
  });
}
