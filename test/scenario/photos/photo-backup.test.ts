/** Photos in backups of the embedded database, and after a restore. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { largeJpeg, sampleJpeg } from '../../photo-samples.ts';
import { copyPhotos } from '../../../server/backup/copy-photos.ts';
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import { readMigrations } from '../../../server/store/migrations.ts';
import { databaseFileName } from '../../../server/store/sqlite/data-folder.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { Api, expectProblem, newApi, steps } from '../../contract/fixture.ts';
import {
  append,
  declare,
  download,
  expectSameBytes,
  offsetOf,
  photoIdOf,
  photoPath,
  store,
} from '../../contract/photos/photo-client.ts';
import { closeServer } from '../../contract/close-server.ts';
import { runCommand } from '../operations/command.ts';
import { backupTime, databaseFolders, open } from '../operations/database-folders.ts';

const photos = ['first', 'second'].map((seed) => largeJpeg(2_000, seed));
const [first, second] = photos as [Buffer, Buffer];
const filesOf = (folder: string, { accountId }: Api) => readdirSync(join(folder, 'photos', accountId)).toSorted();
const hexOf = (photo: Uint8Array) => photoIdOf(photo).slice('sha256:'.length);

async function serverWithPhotos() {
  const folders = databaseFolders();
  const server = await open(folders.live);
  const api = await newApi(server);
  for (const photo of photos) await store(api, photo);
  return { ...folders, server, api };
}

test('[PHOTO-33] a backup has the stored photos and nothing of uploads, and names what is missing', async () => {
  const { live, backup, root, server, api } = await serverWithPhotos();
  await declare(api, sampleJpeg);
  await append(api, sampleJpeg, { offset: 0, raw: sampleJpeg.subarray(0, 10) });
  const { printed } = await runCommand('backup', [backup], { DATA_DIR: live });
  expect(printed.split('\n').slice(1)).toEqual(['Photos: 2.', '']);
  expect(filesOf(backup, api)).toEqual(photos.map(hexOf).toSorted());
  expect(statSync(join(backup, 'photos')).mode & 0o777).toBe(0o700);

  rmSync(join(live, 'photos', api.accountId, hexOf(first)));
  const later = await runCommand('backup', [join(root, 'later')], { DATA_DIR: live });
  expect(later.printed).toContain(`Photos: 1, missing: 1.\n  account ${api.accountId}: ${photoIdOf(first)}\n`);
  expect(filesOf(join(root, 'later'), api)).toEqual([hexOf(second)]);
  await closeServer(server, live);
});

test('[PHOTO-34] a restore adds the photos that are missing and removes none', async () => {
  const { live, backup, root, server, api } = await serverWithPhotos();
  expect(await backUpDatabase(live, backup)).toMatchObject({ ok: true, photos: { present: 2, missing: [] } });
  await store(api, sampleJpeg);
  await closeServer(server, live);
  rmSync(join(live, 'photos', api.accountId, hexOf(first)));
  const restored = await runCommand('restore', [backup], { DATA_DIR: live });
  expect(restored.printed).toContain('Photos: 2.\n');
  expect(filesOf(live, api)).toEqual([...photos, sampleJpeg].map(hexOf).toSorted());

  const elsewhere = join(root, 'elsewhere');
  expect(await restoreDatabase({ from: backup, dataDir: elsewhere, now: backupTime })).toMatchObject({ ok: true });
  for (const dataDir of [live, elsewhere]) {
    const after = await open(dataDir);
    const reader = new Api({ ...api, url: after.url });
    for (const photo of photos) expectSameBytes((await download(reader, photoPath(photo))).bytes, photo);
    // The database of the backup does not know what came later, so its device uploads it again.
    expectProblem(await reader.get(photoPath(sampleJpeg)), 404, 'photo_not_found');
    await store(reader, sampleJpeg);
    await after.close();
  }
});

test('[PHOTO-32] [PHOTO-34] a stored photo that is in neither place is awaited, and is uploaded again', async () => {
  const { live, backup, server, api } = await serverWithPhotos();
  const file = join(live, 'photos', api.accountId, hexOf(first));
  rmSync(file);
  expect((await backUpDatabase(live, backup)).ok).toBe(true);
  await closeServer(server, live);
  rmSync(join(live, 'photos', api.accountId, hexOf(second)));
  // Half a file is none.
  writeFileSync(file, first.subarray(0, 100));
  // An upload ends after 14 days.
  const outcome = await restoreDatabase({ from: backup, dataDir: live, now: new Date() });
  expect(outcome).toMatchObject({ ok: true, photos: { present: 1, missing: [{ id: hexOf(first) }] } });
  const after = await open(live);
  const reader = new Api({ ...api, url: after.url });
  expectProblem(await reader.get(photoPath(first)), 404, 'photo_awaited');
  expect(await offsetOf(reader, first)).toBe(0);
  expect((await append(reader, first, { offset: 0, raw: first })).status).toBe(204);
  expectSameBytes((await download(reader, photoPath(first))).bytes, first);
  await after.close();
});

test('[PHOTO-33] a photo that is collected while a backup copies it is missing, and the backup goes on', async () => {
  const { live, backup, server, api } = await serverWithPhotos();
  const stored = photos.map((photo) => ({ account_id: api.accountId, id: hexOf(photo), bytes: photo.length }));
  let reads = 0;
  // The copy compares these bytes with the file's right before it links the file.
  const collected = {
    ...stored[0]!,
    stored_at: '',
    get bytes() {
      if (++reads === 2) rmSync(join(live, 'photos', api.accountId, hexOf(first)));
      return first.length;
    },
  };
  const copied = copyPhotos({ photos: [collected, { ...stored[1]!, stored_at: '' }], from: live, to: backup });
  expect(copied).toMatchObject({ present: 1, missing: [{ id: hexOf(first) }] });
  expect(filesOf(backup, api)).toEqual([hexOf(second)]);
  await server.close();
});

test('[PHOTO-78] a restore adds no photo while a server runs', async () => {
  const { live, backup, server, api } = await serverWithPhotos();
  expect(await backUpDatabase(live, backup)).toMatchObject({ ok: true });
  rmSync(join(live, 'photos', api.accountId, hexOf(first)));
  expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: false });
  expect(filesOf(live, api)).toEqual([hexOf(second)]);
  await server.close();
});

test('[PHOTO-79] photos whose folder was away for a while are stored again once it is back', async () => {
  const { live, server, api } = await serverWithPhotos();
  const folder = join(live, 'photos');
  renameSync(folder, `${folder}-away`);
  expectProblem(await api.get(photoPath(first)), 404, 'photo_awaited');
  expect((await declare(api, second)).body).toMatchObject({ status: 'uploading', offset: 0 });
  // A piece that came meanwhile is no part of the photo that is back.
  renameSync(`${folder}-away`, folder);
  writeFileSync(join(folder, api.accountId, `${hexOf(first)}.part`), 'piece');
  expectSameBytes((await download(api, photoPath(first))).bytes, first);
  expect((await declare(api, second)).body).toMatchObject({ status: 'stored', offset: second.length });
  await server.close();
});

test.each(['gone', 'cut off', 'empty'])(
  '[PHOTO-70] a stored photo whose file is %s is awaited from the request on that finds it',
  async (loss) => {
    const { live, server, api } = await serverWithPhotos();
    const { id: mapId } = await api.createMap();
    const recorded = steps('Cut').map((step) => ({ ...step, photos: photos.map(photoIdOf) }));
    const { run } = await api.record(mapId, { steps: recorded });
    const statuses = async () => {
      const { photo_objects } = (await api.get(`/api/v1/runs/${run.id}`)).body;
      return photo_objects.map(({ status }: { status: string }) => status);
    };
    const fileOf = (photo: Buffer) => join(live, 'photos', api.accountId, hexOf(photo));
    for (const photo of photos) {
      if (loss === 'gone') rmSync(fileOf(photo));
      else writeFileSync(fileOf(photo), photo.subarray(0, loss === 'empty' ? 0 : 1_000));
    }
    expect(await statuses()).toEqual(['stored', 'stored']);
    expectProblem(await api.get(photoPath(first), { Range: 'bytes=0-9' }), 404, 'photo_awaited');
    expect((await declare(api, second)).body).toMatchObject({ status: 'uploading', offset: 0 });
    expect(await statuses()).toEqual(['awaited', 'awaited']);
    expect((await api.get('/api/v1/photos?status=awaited')).body.data).toHaveLength(2);
    for (const photo of photos) {
      expect((await append(api, photo, { offset: 0, raw: photo })).status).toBe(204);
      expectSameBytes((await download(api, photoPath(photo))).bytes, photo);
    }
    await server.close();
  },
);

test.each([1, 14])('[PHOTO-76] a backup of schema %s is restored', async (schema) => {
  const { live, backup } = databaseFolders();
  mkdirSync(backup);
  const database = await openDatabase(join(backup, databaseFileName), { busyMsMax: 0, synchronous: 'FULL' });
  const migrations = readMigrations(join(import.meta.dirname, '../../../server/store/sqlite/migrations'));
  for (const { sql } of migrations.slice(0, schema)) database.exec(sql);
  database.exec(`PRAGMA user_version = ${schema}`);
  database.close();
  expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: true });
  await (await open(live)).close();
});

test('[PHOTO-31] an upload that a restore took back, or whose bytes are gone, begins again at 0', async () => {
  const { live, backup, server, api } = await serverWithPhotos();
  const upload = largeJpeg(3_000, 'upload');
  await declare(api, upload);
  await append(api, upload, { offset: 0, raw: upload.subarray(0, 1_000) });
  await backUpDatabase(live, backup);
  await append(api, upload, { offset: 1_000, raw: upload.subarray(1_000) });
  await closeServer(server, live);
  expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: true });
  const after = await open(live);
  const reader = new Api({ ...api, url: after.url });
  // The photo was finished after the backup, so the bytes of the upload are not where they were.
  const refused = await append(reader, upload, { offset: 1_000, raw: upload.subarray(1_000) });
  expectProblem(refused, 409, 'offset_mismatch');
  expect(refused.headers.get('Upload-Offset')).toBe('0');
  expect((await append(reader, upload, { offset: 0, raw: upload })).status).toBe(204);
  expectSameBytes((await download(reader, photoPath(upload))).bytes, upload);
  await after.close();
});
