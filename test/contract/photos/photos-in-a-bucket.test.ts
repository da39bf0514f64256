/** The contract of the photo routes over two servers that keep the photos in a bucket. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { largeJpeg, sampleJpeg } from '../../photo-samples.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { startS3Server, type S3Server } from '../../s3/s3-server.ts';
import { expectProblem, newApi, openServers, temporaryFolder, type DumpableServers, type Servers } from '../fixture.ts';
import { declareContract } from './declare-contract.ts';
import { downloadContract } from './download-contract.ts';
import { append, declare, download, expectSameBytes, offsetOf, photoPath, store } from './photo-client.ts';
import { uploadContract } from './upload-contract.ts';

const hourMs = 60 * 60 * 1000;

describe('on SQLite', () => {
  let bucket: S3Server;
  let servers: DumpableServers;
  beforeAll(async () => {
    const { dataDir, remove } = temporaryFolder();
    // The uploads move the clock by two weeks.
    bucket = await startS3Server({ now: () => servers.first.world.now() });
    const opened = await openServers({ dataDir, photoBucket: bucket.settings });
    const close = () => opened.close().finally(remove);
    servers = { ...opened, dump: () => Promise.resolve(''), close };
  });
  afterAll(async () => {
    await servers.close();
    await bucket.close();
  });

  declareContract(() => servers);
  downloadContract(() => servers);
  uploadContract(() => servers);

  test('[PHOTO-60] the bucket has each stored photo under its account and its id, and no piece of it', async () => {
    const api = await newApi(servers.first);
    await store(api, sampleJpeg);
    const [object, ...others] = [...bucket.objects.keys()].filter((key) => key.includes(api.accountId));
    expect(object).toMatch(new RegExp(`^some/folder/photos/${api.accountId}/[0-9a-f]{64}$`));
    expect(others).toEqual([]);
    expectSameBytes(bucket.objects.get(object!)!, sampleJpeg);
  });

  test('[PHOTO-66] while the bucket is down a piece is answered 503 and goes on later, and everything else goes on', async () => {
    const api = await newApi(servers.first);
    const photo = largeJpeg(3_000, 'down');
    await declare(api, photo);
    bucket.misbehave({ kind: 'answer', status: 503, code: 'SlowDown' }, undefined, 1_000);
    expectProblem(await append(api, photo, { offset: 0, raw: photo.subarray(0, 900) }), 503, 'unavailable');
    const { id } = await api.createMap();
    await api.record(id);
    expect((await api.get('/readyz')).status).toBe(200);
    bucket.behave();
    expect(await offsetOf(api, photo)).toBe(0);
    expect((await append(api, photo, { offset: 0, raw: photo })).status).toBe(204);
    bucket.misbehave({ kind: 'answer', status: 503, code: 'SlowDown' }, undefined, 1_000);
    expectProblem(await api.get(photoPath(photo)), 503, 'unavailable');
    bucket.behave();
    expectSameBytes((await download(api, photoPath(photo))).bytes, photo);
  });

  test('[PHOTO-67] a bucket that is gone makes no stored photo an awaited one', async () => {
    const api = await newApi(servers.first);
    await store(api, sampleJpeg);
    bucket.misbehave({ kind: 'answer', status: 404, code: 'NoSuchBucket' }, undefined, 2);
    expectProblem(await api.get(photoPath(sampleJpeg)), 503, 'unavailable');
    expectProblem(await declare(api, sampleJpeg), 503, 'unavailable');
    expect((await declare(api, sampleJpeg)).body.status).toBe('stored');
  });

  test('[PHOTO-65] the sweep of an upload that ended leaves nothing of it in the bucket', async () => {
    const api = await newApi(servers.first);
    const photo = largeJpeg(3_000, 'swept');
    await declare(api, photo);
    await append(api, photo, { offset: 0, raw: photo.subarray(0, 900) });
    const left = () => [...bucket.objects.keys()].filter((key) => key.includes(api.accountId)).length;
    expect(left()).toBe(1);
    servers.advance(15 * 24 * hourMs);
    expect(await servers.first.services.photos!.sweep(api.accountId)).toEqual({ uploads: 1, photos: 0 });
    expect(left()).toBe(0);
  });
});

describe.skipIf(!postgresAtHand())('on PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  test('[PHOTO-60] servers that share no folder keep photos together', async () => {
    const bucket = await startS3Server();
    onTestFinished(() => bucket.close());
    const databaseUrl = await postgres!.createDatabase();
    const open = async (): Promise<Servers> => {
      const { dataDir, remove } = temporaryFolder();
      onTestFinished(remove);
      const opened = await openServers({ dataDir, databaseUrl, photoBucket: bucket.settings, sharesPhotos: false });
      onTestFinished(() => opened.close());
      return opened;
    };
    const [here, there] = [await open(), await open()];
    const api = await newApi(here.first);
    const other = api.at(there.first);
    const photo = largeJpeg(300_000, 'shared');
    await declare(api, photo);
    for (let offset = 0; offset < photo.length; offset += 100_000) {
      const raw = photo.subarray(offset, offset + 100_000);
      expect((await append(offset % 200_000 === 0 ? api : other, photo, { offset, raw })).status).toBe(204);
    }
    for (const reader of [api, other]) expectSameBytes((await download(reader, photoPath(photo))).bytes, photo);
  });
});
