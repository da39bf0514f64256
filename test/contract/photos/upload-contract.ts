import { Upload } from 'tus-js-client';
import { expect, test } from 'vitest';
import { largeJpeg, sampleJpeg, withJpegSegment } from '../../photo-samples.ts';
import { createToken } from '../auth/auth-contract.ts';
import { expectProblem, expectWrongFields, newApi, type Api, type GetServers } from '../fixture.ts';
import { openRawClient, requestHead } from '../raw-client.ts';
import {
  append,
  declare,
  download,
  expectSameBytes,
  offsetOf,
  photoIdOf,
  photoPath,
  store,
  tus,
  uploadPath,
} from './photo-client.ts';

export function uploadContract(servers: GetServers): void {
  test('[PHOTO-19] an upload goes on from its offset alone, over any server', async () => {
    const api = await newApi(servers().first);
    const photo = largeJpeg(3_000, 'resumed');
    await declare(api, photo);
    const other = api.at(servers().second);
    expect(await offsetOf(other, photo)).toBe(0);
    const first = await append(other, photo, { offset: 0, raw: photo.subarray(0, 1_000) });
    expect(first.status).toBe(204);
    expect(first.headers.get('Upload-Offset')).toBe('1000');
    expect(first.headers.get('Tus-Resumable')).toBe('1.0.0');
    for (const offset of [0, 999, 1_001]) {
      const refused = await append(api, photo, { offset, raw: photo.subarray(offset) });
      expectProblem(refused, 409, 'offset_mismatch');
      expect(refused.body.offset).toBe(1_000);
      expect(refused.headers.get('Upload-Offset')).toBe('1000');
    }
    const tooLong = await append(api, photo, { offset: 1_000, raw: Buffer.concat([photo.subarray(1_000), photo]) });
    expectProblem(tooLong, 413, 'payload_too_large');
    const over = await append(api, photo, { offset: 1_000, raw: Buffer.alloc(1024 * 1024 + 1) });
    expectProblem(over, 413, 'payload_too_large');
    expect((await append(api, photo, { offset: 1_000, raw: photo.subarray(1_000) })).status).toBe(204);
    const head = await api.send('HEAD', uploadPath(photo), { headers: tus });
    expect(head.headers.get('Upload-Length')).toBe(String(photo.length));
    expect(head.headers.get('Upload-Offset')).toBe(String(photo.length));
    expect(head.headers.get('Upload-Expires')).toBeNull();
    expect(head.headers.get('Cache-Control')).toBe('no-store');
  });

  test('[PHOTO-20] a request that is not tus 1.0, or not about an upload of the account, is refused', async () => {
    const api = await newApi(servers().first);
    await declare(api, sampleJpeg);
    const raw = sampleJpeg.subarray(0, 10);
    const oldTus = await append(api, sampleJpeg, { offset: 0, raw, headers: { 'Tus-Resumable': '0.2.2' } });
    expectProblem(oldTus, 412, 'tus_version_unsupported');
    expect(oldTus.headers.get('Tus-Version')).toBe('1.0.0');
    const json = await append(api, sampleJpeg, { offset: 0, raw, headers: { 'Content-Type': 'application/json' } });
    expectProblem(json, 415, 'unsupported_media_type');
    for (const offset of ['', '-1', '1.5', 'x', '1e3']) {
      const refused = await append(api, sampleJpeg, { offset: 0, raw, headers: { 'Upload-Offset': offset } });
      expectWrongFields(refused, ['/Upload-Offset']);
    }
    const stranger = await newApi(servers().first);
    for (const [caller, photo] of [
      [stranger, photoIdOf(sampleJpeg)],
      [api, `sha256:${'0'.repeat(64)}`],
      [api, 'sha256:no'],
    ] as const) {
      expectProblem(await append(caller, photo, { offset: 0, raw }), 410, 'upload_expired');
      expect((await caller.send('HEAD', uploadPath(photo), { headers: tus })).status).toBe(410);
      expectProblem(await caller.send('DELETE', uploadPath(photo), { headers: tus }), 410, 'upload_expired');
    }
    const reader = await createToken(servers().first, api, { scopes: ['read'] });
    expectProblem(await append(reader, sampleJpeg, { offset: 0, raw }), 403, 'forbidden');
    expect(await offsetOf(api, sampleJpeg)).toBe(0);
    const options = await fetch(api.url + uploadPath(sampleJpeg), { method: 'OPTIONS' });
    expect(Object.fromEntries(options.headers)).toMatchObject({
      allow: 'HEAD, PATCH, DELETE, OPTIONS',
      'tus-version': '1.0.0',
      'tus-extension': 'expiration,termination',
      'tus-max-size': String(8 * 1024 * 1024),
    });
  });

  test('[PHOTO-21] what arrived of a request that broke off counts', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const photo = largeJpeg(3_000, 'broken off');
    await declare(api, photo);
    const head = requestHead('PATCH', uploadPath(photo), {
      Authorization: `Bearer ${api.key}`,
      ...tus,
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': String(photo.length),
    });
    const { socket } = await openRawClient(first.port, Buffer.concat([Buffer.from(head), photo.subarray(0, 1_234)]));
    // A server reads a body once it knows the token, which it does long before it has answered several later requests.
    for (let request = 0; request < 5; request++) await offsetOf(api, photo);
    socket.end();
    await expect.poll(() => offsetOf(api, photo)).toBe(1_234);
    expect((await append(api, photo, { offset: 1_234, raw: photo.subarray(1_234) })).status).toBe(204);
    expectSameBytes((await download(api, photoPath(photo))).bytes, photo);
  });

  test('[PHOTO-22] bytes that are not the photo that was declared are forgotten, and their upload begins again', async () => {
    const api = await newApi(servers().first);
    const flawed = async (photo: Buffer, sent: Buffer, code: string) => {
      expect((await declare(api, photo)).status).toBe(201);
      const refused = await append(api, photo, { offset: 0, raw: sent });
      expectProblem(refused, 422, code);
      expect(refused.body.offset).toBe(0);
      expect(await offsetOf(api, photo)).toBe(0);
      expectProblem(await api.get(photoPath(photo)), 404, 'photo_awaited');
    };
    const photo = largeJpeg(500, 'flawed');
    await flawed(photo, Buffer.from(photo).fill(7, 300, 301), 'photo_corrupt');
    const placed = withJpegSegment(0xe1, 'Exif\0\0N 52.5 E 13.4');
    await flawed(placed, placed, 'photo_has_metadata');
    const polyglot = Buffer.concat([sampleJpeg, Buffer.from('PK\u0003\u0004 a zip behind the picture')]);
    await flawed(polyglot, polyglot, 'photo_corrupt');
    const truncated = sampleJpeg.subarray(0, -2);
    await flawed(truncated, truncated, 'photo_corrupt');
    expect((await append(api, photo, { offset: 0, raw: photo })).status).toBe(204);
  });

  test('[PHOTO-23] an upload is ended on request, and by itself after 14 days without a byte', async () => {
    const api = await newApi(servers().first);
    const [ended, stored, left] = ['ended', 'stored', 'left'].map((name) => largeJpeg(400, name)) as Buffer[];
    const end = (photo: Buffer) => api.send('DELETE', uploadPath(photo), { headers: tus });
    await declare(api, ended!);
    expect((await end(ended!)).status).toBe(204);
    expectProblem(await end(ended!), 410, 'upload_expired');
    await store(api, stored!);
    expectProblem(await end(stored!), 409, 'upload_complete');
    await declare(api, left!);
    await append(api, left!, { offset: 0, raw: left!.subarray(0, 100) });
    servers().advance(14 * 24 * 60 * 60 * 1000 + 60_000);
    expectProblem(await append(api, left!, { offset: 100, raw: left!.subarray(100) }), 410, 'upload_expired');
    expectProblem(await api.get(photoPath(left!)), 404, 'photo_not_found');
    expect(await declare(api, left!)).toMatchObject({ status: 201, body: { offset: 0 } });
    expect((await append(api, left!, { offset: 0, raw: left! })).status).toBe(204);
    expectSameBytes((await download(api, photoPath(stored!))).bytes, stored!);
  });

  test('[PHOTO-24] of requests that come at once, one moves the upload, and the photo is stored whole', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const photo = largeJpeg(200_000, 'at once');
    await declare(api, photo);
    for (let offset = 0; offset < photo.length; offset = await offsetOf(api, photo)) {
      const raw = photo.subarray(offset, offset + 60_000);
      const answers = await Promise.all(
        [api, api.at(second), api, api.at(second)].map((sender) => append(sender, photo, { offset, raw })),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 204)).toHaveLength(1);
      expect([204, 409, 423]).toEqual(expect.arrayContaining(statuses));
      for (const { status, headers } of answers) if (status === 423) expect(headers.get('Retry-After')).toBe('1');
    }
    expectSameBytes((await download(api, photoPath(photo))).bytes, photo);
  });

  test('[PHOTO-25] a client of tus uploads a photo, is stopped, and goes on over another server', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const photo = largeJpeg(700_000, 'tus');
    await declare(api, photo);
    const options = (sender: Api) => ({
      uploadUrl: sender.url + uploadPath(photo),
      headers: { Authorization: `Bearer ${sender.key}` },
      chunkSize: 100_000,
      retryDelays: null,
    });
    const stopped = await new Promise<number>((resolve, reject) => {
      const upload = new Upload(photo, {
        ...options(api),
        onError: reject,
        onChunkComplete: (_size, accepted) => {
          if (accepted >= 300_000) void upload.abort().then(() => resolve(accepted), reject);
        },
      });
      upload.start();
    });
    expect(stopped).toBeLessThan(photo.length);
    const offsets: number[] = [];
    await new Promise<void>((resolve, reject) => {
      const onChunkComplete = (_size: number, accepted: number) => void offsets.push(accepted);
      const ended = { onError: reject, onSuccess: () => resolve() };
      new Upload(photo, { ...options(api.at(second)), ...ended, onChunkComplete }).start();
    });
    expect(offsets[0]).toBeGreaterThan(stopped);
    expectSameBytes((await download(api, photoPath(photo))).bytes, photo);
    const idle = largeJpeg(100, 'terminated');
    await declare(api, idle);
    await Upload.terminate(api.url + uploadPath(idle), { headers: { Authorization: `Bearer ${api.key}` } });
    expectProblem(await api.get(photoPath(idle)), 404, 'photo_not_found');
  });
}
