import { expect, test } from 'vitest';
import { largeJpeg, sampleJpeg } from '../../photo-samples.ts';
import { createToken } from '../auth/auth-contract.ts';
import { expectProblem, expectWrongFields, newApi, type GetServers } from '../fixture.ts';
import { declare, download, expectSameBytes, photoIdOf, photoPath, store } from './photo-client.ts';

export function downloadContract(servers: GetServers): void {
  test('[PHOTO-26] a stored photo is read whole, by any server, for ever the same', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const photo = largeJpeg(600_000, 'whole');
    await store(api, photo);
    for (const reader of [api, api.at(second)]) {
      const { status, headers, bytes } = await download(reader, photoPath(photo));
      expect(status).toBe(200);
      expectSameBytes(bytes, photo);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'content-length': String(photo.length),
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=31536000, immutable',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        etag: `"${photoIdOf(photo)}"`,
      });
    }
    const etag = `"${photoIdOf(photo)}"`;
    const known = await download(api, photoPath(photo), { headers: { 'If-None-Match': etag } });
    expect({ status: known.status, length: known.bytes.length }).toEqual({ status: 304, length: 0 });
    const head = await download(api, photoPath(photo), { method: 'HEAD', headers: { Range: 'bytes=0-1' } });
    expect({ status: head.status, length: head.headers.get('Content-Length') }).toEqual({
      status: 200,
      length: String(photo.length),
    });
  });

  test('[PHOTO-27] a range of a photo is read, and any other header gets the whole', async () => {
    const api = await newApi(servers().first);
    const photo = largeJpeg(600_000, 'range');
    await store(api, photo);
    const size = photo.length;
    const read = (Range: string, headers = {}) => download(api, photoPath(photo), { headers: { Range, ...headers } });
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=100-299999', 100, 300_000],
      [`bytes=${size - 1}-`, size - 1, size],
      ['bytes=-10', size - 10, size],
      [`bytes=5-${size * 2}`, 5, size],
    ] as const) {
      const { status, headers, bytes } = await read(range);
      expect({ range, status, told: headers.get('Content-Range') }).toEqual({
        range,
        status: 206,
        told: `bytes ${start}-${end - 1}/${size}`,
      });
      expectSameBytes(bytes, photo.subarray(start, end));
    }
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes', 'bytes=x-y']) {
      const { status, bytes } = await read(range);
      expect(status, range).toBe(200);
      expectSameBytes(bytes, photo);
    }
    expect((await read('bytes=0-9', { 'If-Range': '"other"' })).status).toBe(200);
    expect((await read('bytes=0-9', { 'If-Range': `"${photoIdOf(photo)}"` })).status).toBe(206);
    const beyond = await api.get(photoPath(photo), { Range: `bytes=${size}-` });
    expectProblem(beyond, 416, 'range_not_satisfiable');
    expect(beyond.headers.get('Content-Range')).toBe(`bytes */${size}`);
  });

  test('[PHOTO-28] a thumbnail is there before its photo, and a photo that is missing is told apart from none', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const photo = largeJpeg(900, 'awaited');
    expectProblem(await api.get(photoPath(photo)), 404, 'photo_not_found');
    await declare(api, photo);
    expectProblem(await api.get(photoPath(photo)), 404, 'photo_awaited');
    expectProblem(await api.get(`${photoPath(photo)}?size=thumbnail`), 404, 'photo_not_found');
    await declare(api, photo, { thumbnail: sampleJpeg.toString('base64') });
    const thumbnail = await download(api, `${photoPath(photo)}?size=thumbnail`);
    expect(thumbnail).toMatchObject({ status: 200, bytes: sampleJpeg });
    expect(thumbnail.headers.get('Content-Type')).toBe('image/jpeg');
    const headers = { 'If-None-Match': thumbnail.headers.get('ETag')! };
    expect((await download(api, `${photoPath(photo)}?size=thumbnail`, { headers })).status).toBe(304);
    expectWrongFields(await api.get(`${photoPath(photo)}?size=huge`), ['/size']);
    for (const path of ['/api/v1/photos/sha256:zz', `/api/v1/photos/${'a'.repeat(64)}`]) {
      expectProblem(await api.get(path), 404, 'photo_not_found');
    }
    // Another account and a token that may only record see nothing.
    await store(await newApi(first), sampleJpeg);
    expectProblem(await api.get(photoPath(sampleJpeg)), 404, 'photo_not_found');
    const recorder = await createToken(first, api, { scopes: ['record'] });
    expectProblem(await recorder.get(photoPath(photo)), 403, 'forbidden');
  });
}
