import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderStorage } from '../../../server/photos/folder-storage.ts';
import { openServer } from '../../../server/app.ts';
import { PhotoStorageFull } from '../../../server/photos/photo-storage.ts';
import { PhotoUploads } from '../../../server/photos/photo-uploads.ts';
import { sampleJpeg } from '../../photo-samples.ts';
import { expectProblem, newApi, temporaryFolder } from '../fixture.ts';
import { append, declare } from './photo-client.ts';
import { photoStorageContract } from './photo-storage-contract.ts';

async function photosFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-photos-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'photos');
}

const key = { accountId: '0192a4c0-0000-7000-8000-000000000001', id: 'ab'.repeat(32) };

photoStorageContract(async () => createFolderStorage(await photosFolder()));

test('[PHOTO-42] an upload leaves the rest of the disk to the database, and goes on once there is room', async () => {
  const folder = await photosFolder();
  const full = createFolderStorage(folder, { freeBytesMin: Number.MAX_SAFE_INTEGER });
  await expect(full.append(key, 0, Buffer.from('ab'))).rejects.toBeInstanceOf(PhotoStorageFull);
  const storage = createFolderStorage(folder);
  expect(await storage.append(key, 0, Buffer.from('ab'))).toBe(true);
  await expect(full.append(key, 2, Buffer.from('c'))).rejects.toBeInstanceOf(PhotoStorageFull);
  expect(await storage.append(key, 2, Buffer.from('c'))).toBe(true);
  await full.finish(key);
  expect(Buffer.from((await full.read(key, { start: 0, end: 9 }))!).toString()).toBe('abc');
});

test.skipIf(!existsSync('/dev/full'))('[PHOTO-42] a disk that is full says so', async () => {
  const folder = await photosFolder();
  await mkdir(join(folder, key.accountId), { recursive: true });
  await symlink('/dev/full', join(folder, key.accountId, `${key.id}.part`));
  await expect(createFolderStorage(folder).append(key, 0, Buffer.from('ab'))).rejects.toBeInstanceOf(PhotoStorageFull);
});

test('[PHOTO-42] a full photo folder is no outage of the database', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const bugs: unknown[] = [];
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', onBug: (error) => bugs.push(error) });
  onTestFinished(() => server.close());
  const { services } = server;
  const { store, world } = services;
  const library = services.photos!;
  const api = await newApi(server);
  await declare(api, sampleJpeg);
  const storage = createFolderStorage(await photosFolder(), { freeBytesMin: Number.MAX_SAFE_INTEGER });
  services.photos = { ...library, storage, uploads: new PhotoUploads({ store, storage, world }) };
  expectProblem(await append(api, sampleJpeg, { offset: 0, raw: sampleJpeg }), 503, 'unavailable');
  expect([services.readiness.writesFail, bugs]).toEqual([false, []]);
  services.photos = library;
  expect((await append(api, sampleJpeg, { offset: 0, raw: sampleJpeg })).status).toBe(204);
});
