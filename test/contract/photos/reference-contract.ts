import { expect, test } from 'vitest';
import { largeJpeg } from '../../photo-samples.ts';
import { expectProblem, expectWrongFields, newApi, steps, type GetServers } from '../fixture.ts';
import { declare, photoIdOf, photoPath, store } from './photo-client.ts';

const stepsWith = (...photos: string[]) => steps('Cut').map((step) => ({ ...step, photos }));

export function referenceContract(servers: GetServers): void {
  test('[PHOTO-36] a run says which of its photos are there, and its ETag follows them', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const { id: mapId } = await api.createMap();
    const [stored, awaited] = ['stored', 'awaited'].map((seed) => largeJpeg(800, seed)) as [Buffer, Buffer];
    const photos = [photoIdOf(awaited), 'IMG_1.jpg', photoIdOf(stored), photoIdOf(awaited)];
    const { run } = await api.record(mapId, { steps: stepsWith(...photos) });
    const path = `/api/v1/runs/${run.id}`;
    const unknown = { status: 'awaited', content_type: null, bytes: null, width: null, height: null };
    const before = await api.get(path);
    expect(before.body.steps[0].photos).toEqual(photos);
    expect(before.body.photo_objects).toEqual([
      { id: photoIdOf(awaited), ...unknown },
      { id: photoIdOf(stored), ...unknown },
    ]);
    await declare(api, awaited);
    await store(api, stored);
    const after = await api.at(second).get(path, { 'If-None-Match': before.headers.get('ETag')! });
    expect(after.status).toBe(200);
    expect(after.body.photo_objects).toMatchObject([
      { status: 'awaited', content_type: 'image/jpeg', bytes: awaited.length },
      { status: 'stored', bytes: stored.length, width: expect.any(Number), height: expect.any(Number) },
    ]);
    const etag = after.headers.get('ETag')!;
    expect((await api.get(path, { 'If-None-Match': etag })).status).toBe(304);
    const rename = (headers: Record<string, string>) => api.send('PATCH', path, { body: { name: 'First' }, headers });
    expect((await rename({ 'If-Match': etag })).status).toBe(200);
    expectProblem(await rename({ 'If-Match': etag }), 412, 'precondition_failed');
    const plain = (await api.record(mapId, { steps: stepsWith('IMG_1.jpg') })).run;
    expect((await api.get(`/api/v1/runs/${plain.id}`)).body).not.toHaveProperty('photo_objects');
  });

  test('[PHOTO-37] [PHOTO-38] what runs refer to and is missing is listed, and is awaited', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const { id: mapId } = await api.createMap();
    const photos = Array.from({ length: 5 }, (_, index) => largeJpeg(300, `missing ${index}`));
    const { run } = await api.record(mapId, { steps: stepsWith(...photos.map(photoIdOf)) });
    const again = (await api.record(mapId, { steps: stepsWith(photoIdOf(photos[0]!)) })).run;
    const list = async () => {
      const data: { id: string; run_id: number }[] = [];
      for (let path: string | null = '/api/v1/photos?status=awaited&limit=2'; path !== null;) {
        const { status, body } = await api.get(path);
        expect(status).toBe(200);
        data.push(...body.data);
        path = body.next_cursor && `/api/v1/photos?status=awaited&limit=2&cursor=${body.next_cursor}`;
      }
      return data;
    };
    const all = await list();
    expect(all).toHaveLength(6);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted());
    expect(all.find(({ run_id }) => run_id === again.id)).toEqual({
      id: photoIdOf(photos[0]!),
      run_id: again.id,
      map_id: mapId,
      device_id: null,
      awaited_since: again.created_at,
    });
    expectProblem(await api.get(photoPath(photos[0]!)), 404, 'photo_awaited');
    expectProblem(await (await newApi(first)).get(photoPath(photos[0]!)), 404, 'photo_not_found');
    await store(api, photos[0]!);
    await declare(api, photos[1]!);
    expect(await list()).toHaveLength(4);
    await api.post(`/api/v1/runs/${run.id}/delete`, {});
    expect(await list()).toEqual([]);
    expectProblem(await api.get(photoPath(photos[2]!)), 404, 'photo_not_found');
    expectWrongFields(await api.get('/api/v1/photos'), ['/status']);
    expectWrongFields(await api.get('/api/v1/photos?status=stored'), ['/status']);
    expectWrongFields(await api.get('/api/v1/photos?status=awaited&cursor=x'), ['/cursor']);
  });
}
