/** Backups and restores of a database whose photos are in a bucket. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../../server/app.ts';
import { largeJpeg, sampleJpeg } from '../../../photo-samples.ts';
import { startS3Server } from '../../../s3/s3-server.ts';
import { closeServer } from '../../../contract/close-server.ts';
import { Api, expectProblem, newApi } from '../../../contract/fixture.ts';
import { declare, download, expectSameBytes, photoPath, store } from '../../../contract/photos/photo-client.ts';
import { runCommand } from '../../operations/command.ts';
import { databaseFolders } from '../../operations/database-folders.ts';

test('[PHOTO-69] a backup leaves the photos in the bucket and says so, and a restore makes none of them awaited', async () => {
  const bucket = await startS3Server();
  onTestFinished(() => bucket.close());
  const { live, backup } = databaseFolders();
  const open = () => openServer({ dataDir: live, port: 0, host: '127.0.0.1', photoBucket: bucket.settings });
  const server = await open();
  const api = await newApi(server);
  const gone = largeJpeg(1_000, 'gone');
  await store(api, sampleJpeg);
  await store(api, gone);

  const environment = { ...bucket.environment, DATA_DIR: live };
  const line = 'Photos: 2 of the database, whose bytes are in the bucket at GEMBA_S3_URL and were left alone';
  const backedUp = await runCommand('backup', [backup], environment);
  expect(backedUp).toMatchObject({ exitCode: 0, printed: expect.stringContaining(line) });
  expect(existsSync(join(backup, 'photos'))).toBe(false);

  await closeServer(server, live);
  const restored = await runCommand('restore', [backup], environment);
  expect(restored).toMatchObject({ exitCode: 0, printed: expect.stringContaining(line) });
  for (const { printed } of [backedUp, restored]) {
    expect(printed).not.toContain('missing');
    for (const secret of [bucket.settings.key, bucket.settings.secret]) expect(printed).not.toContain(secret);
  }

  const after = await open();
  onTestFinished(() => after.close());
  const reader = new Api({ ...api, url: after.url });
  expectSameBytes((await download(reader, photoPath(sampleJpeg))).bytes, sampleJpeg);
  // An object that went after the backup is awaited once somebody asks for it, and is uploaded again.
  const [, second] = [...bucket.objects.keys()];
  bucket.objects.delete(second!);
  expectProblem(await reader.get(photoPath(gone)), 404, 'photo_awaited');
  expect((await declare(reader, gone)).body).toMatchObject({ status: 'uploading', offset: 0 });
});
