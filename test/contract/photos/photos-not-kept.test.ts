import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { sampleJpeg } from '../../photo-samples.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { expectProblem, newApi, temporaryFolder } from '../fixture.ts';
import { append, declare, photoIdOf, photoPath } from './photo-client.ts';

describe.skipIf(!postgresAtHand())('a server on PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  test('[PHOTO-30] keeps no photos until it is told where its processes share them, and takes recordings', async () => {
    const { dataDir, remove } = temporaryFolder();
    onTestFinished(remove);
    const databaseUrl = await postgres!.createDatabase();
    const server = await openServer({ dataDir, databaseUrl, port: 0, host: '127.0.0.1' });
    onTestFinished(() => server.close());
    const api = await newApi(server);
    expectProblem(await declare(api, sampleJpeg), 501, 'photos_not_kept');
    expectProblem(await append(api, sampleJpeg, { offset: 0, raw: sampleJpeg }), 501, 'photos_not_kept');
    expectProblem(await api.get(photoPath(sampleJpeg)), 501, 'photos_not_kept');
    const { id } = await api.createMap();
    const photos = [photoIdOf(sampleJpeg)];
    await api.record(id, { steps: [{ stage_name: 'Cut', order: 1, duration_secs: 60, photos }] });

    const sharing = await openServer({ dataDir, databaseUrl, sharesPhotos: true, port: 0, host: '127.0.0.1' });
    onTestFinished(() => sharing.close());
    expect((await declare(api.at(sharing), sampleJpeg)).status).toBe(201);
  });
});
