/** Calls a folder storage under strace, and prints the name of each step before it. */
import { createFolderStorage } from '../../../server/photos/folder-storage.ts';

const [folder = '', accountId = ''] = process.argv.slice(2);
const key = { accountId, id: 'ab'.repeat(32) };
const storage = createFolderStorage(folder);
const bytes = Buffer.from('bytes');

const steps: Record<string, () => Promise<unknown>> = {
  // This call makes the folders and fails before it syncs them.
  full: () =>
    createFolderStorage(folder, { freeBytesMin: Number.MAX_SAFE_INTEGER })
      .append(key, 0, bytes)
      .catch(() => {}),
  append: () => storage.append(key, 0, bytes),
  finish: () => storage.finish(key),
  'finish again': () => storage.finish(key),
  remove: () => storage.remove(key),
};

for (const [name, step] of Object.entries(steps)) {
  process.stdout.write(`step ${name}\n`);
  await step();
}
