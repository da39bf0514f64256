import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderStorage } from '../../../server/photos/folder-storage.ts';
import { StoreUnavailable } from '../../../server/store/store.ts';
import { photoStorageContract } from './photo-storage-contract.ts';

async function photosFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-photos-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'photos');
}

photoStorageContract(async () => folderStorage(await photosFolder()));

test('[PHOTO-42] an upload leaves the rest of the disk to the database, and goes on once there is room', async () => {
  const folder = await photosFolder();
  const key = { accountId: '0192a4c0-0000-7000-8000-000000000001', id: 'ab'.repeat(32) };
  const full = folderStorage(folder, { freeBytesMin: Number.MAX_SAFE_INTEGER });
  await expect(full.append(key, 0, Buffer.from('ab'))).rejects.toBeInstanceOf(StoreUnavailable);
  const storage = folderStorage(folder);
  expect(await storage.append(key, 0, Buffer.from('ab'))).toBe(true);
  await expect(full.append(key, 2, Buffer.from('c'))).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await storage.append(key, 2, Buffer.from('c'))).toBe(true);
  await full.finish(key);
  expect(Buffer.from((await full.read(key, { start: 0, end: 9 }))!).toString()).toBe('abc');
});
