import { expect, test } from 'vitest';
import { largeJpeg, sampleJpeg, withJpegSegment } from '../../photo-samples.ts';
import { createToken } from '../auth/auth-contract.ts';
import { expectProblem, expectWrongFields, newApi, type GetServers } from '../fixture.ts';
import { append, declare, photoIdOf, tus, uploadPath } from './photo-client.ts';

export function declareContract(servers: GetServers): void {
  test('[PHOTO-16] a photo is declared once, and each time told how far its upload is', async () => {
    const api = await newApi(servers().first);
    const photo = largeJpeg(2_000, 'declared');
    const first = await declare(api, photo);
    const id = photoIdOf(photo);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id,
      status: 'uploading',
      upload_url: uploadPath(photo),
      offset: 0,
      chunk_bytes_max: 1_048_576,
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(first.headers.get('Location')).toBe(uploadPath(photo));
    await append(api, photo, { offset: 0, raw: photo.subarray(0, 700) });
    const again = await declare(api.at(servers().second), photo);
    expect(again).toMatchObject({ status: 200, body: { status: 'uploading', offset: 700 } });
    await append(api, photo, { offset: 700, raw: photo.subarray(700) });
    const stored = await declare(api, photo);
    expect(stored).toMatchObject({ status: 200, body: { status: 'stored', offset: photo.length, expires_at: null } });
    expectProblem(await declare(api, photo, { content_type: 'image/png' }), 409, 'photo_mismatch');
    expectProblem(await declare(api, photo, { bytes: 5 }), 409, 'photo_mismatch');
    // Another account has photos of its own.
    expect((await declare(await newApi(servers().first), photo)).body).toMatchObject({
      status: 'uploading',
      offset: 0,
    });
  });

  test('[PHOTO-17] a photo that cannot be stored is refused when it is declared', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const wrong = async (fields: object, paths: string[]) =>
      expectWrongFields(await declare(api, sampleJpeg, fields), paths);
    await wrong({ id: 'ab'.repeat(32) }, ['/id']);
    await wrong({ id: photoIdOf(sampleJpeg).toUpperCase() }, ['/id']);
    await wrong({ bytes: 0 }, ['/bytes']);
    await wrong({ bytes: 8 * 1024 * 1024 + 1 }, ['/bytes']);
    await wrong({ content_type: 'image/gif' }, ['/content_type']);
    await wrong({ width: 12_001 }, ['/width']);
    await wrong({ width: 12_000, height: 4_167 }, ['/height']);
    for (const thumbnail of ['no base64', '', 'ab=', 'abc', 'YWJj=', 'YWI']) await wrong({ thumbnail }, ['/thumbnail']);
    await wrong({ thumbnail: Buffer.alloc(24 * 1024 + 3).toString('base64') }, ['/thumbnail']);
    const thumbnail = (bytes: Buffer) => declare(api, sampleJpeg, { thumbnail: bytes.toString('base64') });
    expectProblem(await thumbnail(Buffer.from('no picture')), 422, 'photo_corrupt');
    expectProblem(await thumbnail(withJpegSegment(0xe1, 'Exif\0\0N 52.5')), 422, 'photo_has_metadata');
    expectProblem(await declare(await createToken(first, api, { scopes: ['read'] }), sampleJpeg), 403, 'forbidden');
    expect((await thumbnail(sampleJpeg)).status).toBe(201);
  });

  test('[PHOTO-18] an account stores as many bytes of photos as its plan allows', async () => {
    const api = await newApi(servers().first, 'free');
    const bytes = 8 * 1024 * 1024;
    const ids = Array.from({ length: 255 }, (_, index) => `sha256:${index.toString(16).padStart(64, '0')}`);
    for (const id of ids) expect((await declare(api, sampleJpeg, { id, bytes })).status).toBe(201);
    const refused = await declare(api, sampleJpeg);
    expectProblem(refused, 403, 'photo_quota_reached');
    // A photo that is all thumbnail takes the room of its row.
    const thumbnail = sampleJpeg.toString('base64');
    expectProblem(await declare(api, sampleJpeg, { bytes: 1, thumbnail }), 403, 'photo_quota_reached');
    expect(refused.body).toMatchObject({ limit_bytes: 2 * 1024 ** 3, plan: 'free' });
    // The server still answers about a photo that it knows, and an upload that is ended makes room.
    expect((await declare(api, sampleJpeg, { id: ids[0], bytes })).status).toBe(200);
    expect((await api.send('DELETE', uploadPath(ids[0]!), { headers: tus })).status).toBe(204);
    expect((await declare(api, sampleJpeg)).status).toBe(201);
  });
}
