/** Sealed requests for photos. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { largeJpeg, sampleJpeg } from '../../photo-samples.ts';
import { newApi, type GetServers } from '../fixture.ts';
import { pairedDevice } from '../pairing.ts';
import { append, declarationOf, expectSameBytes, photoPath, tus, uploadPath } from '../photos/photo-client.ts';
import { carry, deliver, openSealed, relayKeys, sealTo, type InnerSend } from '../sealed-client.ts';

export function relayPhotosContract(servers: GetServers): void {
  test('[RELAY-113] a photo is declared, uploaded and read by sealed requests', async () => {
    const watch = await pairedDevice(servers().first, await newApi(servers().first));
    const carrier = await pairedDevice(servers().second, await newApi(servers().second), { kind: 'phone' });
    const photo = largeJpeg(500, randomUUID());
    const carried = (inner: InnerSend) => carry(carrier, { token: watch.key, ...inner });
    const upload = { path: uploadPath(photo), headers: tus };
    const declared = await carried({ path: '/api/v1/photos', body: declarationOf(photo) });
    expect(declared).toMatchObject({ status: 201, body: { status: 'uploading', offset: 0 } });
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const piece = { method: 'PATCH', content: new Uint8Array(photo.subarray(0, 100)) };
    const appended = await carried({ ...upload, ...piece, headers: { ...tus, ...type } });
    expect([appended.status, appended.headers.get('Upload-Offset')]).toEqual([204, '100']);
    const asked = await carried({ ...upload, method: 'HEAD' });
    expect([asked.status, asked.headers.get('Upload-Offset')]).toEqual([200, '100']);
    expect((await append(watch, photo, { offset: 100, raw: photo.subarray(100) })).status).toBe(204);
    const sent = await sealTo(await relayKeys(carrier.url), {
      method: 'GET',
      path: photoPath(photo),
      token: watch.key,
    });
    const opened = await openSealed(await deliver(carrier, sent.sealed), sent);
    expect(opened.status).toBe(200);
    expectSameBytes(opened.content, photo);
  });

  test('[RELAY-117] a sealed request reads a part of a photo, and not more than 1 MiB', async () => {
    const watch = await pairedDevice(servers().first, await newApi(servers().first));
    const photo = largeJpeg(1_100_000, randomUUID());
    await watch.post('/api/v1/photos', declarationOf(photo));
    await append(watch, photo, { offset: 0, raw: photo.subarray(0, 1_000_000) });
    await append(watch, photo, { offset: 1_000_000, raw: photo.subarray(1_000_000) });
    const path = photoPath(photo);
    expect(await carry(watch, { method: 'GET', path, token: watch.key })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    });
    const headers = { range: 'bytes=1000000-1262143' };
    const sent = await sealTo(await relayKeys(watch.url), { method: 'GET', path, token: watch.key, headers });
    const { status, fields, content } = await openSealed(await deliver(watch, sent.sealed), sent);
    const range = new Map(fields).get('content-range');
    expect([status, range]).toEqual([206, `bytes 1000000-${photo.length - 1}/${photo.length}`]);
    expectSameBytes(content, photo.subarray(1_000_000));
  });

  test('[RELAY-113] a sealed request ends no upload, and lists no photos', async () => {
    const watch = await pairedDevice(servers().first, await newApi(servers().first));
    const others = [
      ['DELETE', uploadPath(sampleJpeg)],
      ['GET', '/api/v1/photos'],
      ['PATCH', '/api/v1/photos/../maps/upload'],
    ] as const;
    for (const [method, path] of others)
      expect(await carry(watch, { method, path, token: watch.key, headers: tus })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
  });
}
