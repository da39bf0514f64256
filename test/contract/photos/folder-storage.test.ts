import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { folderStorage } from '../../../server/photos/folder-storage.ts';
import { photoStorageContract } from './photo-storage-contract.ts';

photoStorageContract(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-photos-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folderStorage(join(folder, 'photos'));
});
