/** The real server process is killed at requests to the bucket of its photos, and must go on from what it acknowledged. */
import { expect, onTestFinished, test } from 'vitest';
import { largeJpeg } from '../../../photo-samples.ts';
import { startS3Server, type Misbehaviour, type S3Request } from '../../../s3/s3-server.ts';
import { Api, temporaryFolder } from '../../../contract/fixture.ts';
import {
  append,
  declare,
  download,
  expectSameBytes,
  photoIdOf,
  photoPath,
} from '../../../contract/photos/photo-client.ts';
import { startServerProcess } from '../../../contract/server-process.ts';

const pieceBytes = 300_000;
const pieces = 3;

/** The request at which the process is killed, and the piece of the upload that makes it. */
const kills: { at: string; piece: number; matches: (request: S3Request) => boolean }[] = [
  { at: 'the list of chunks', piece: 1, matches: ({ method, name }) => method === 'GET' && name === '' },
  { at: 'a chunk', piece: 1, matches: ({ method, name }) => method === 'PUT' && name.includes('/uploads/') },
  {
    at: 'a chunk that is read',
    piece: 2,
    matches: ({ method, name }) => method === 'GET' && name.includes('/uploads/'),
  },
  { at: 'the photo', piece: 2, matches: ({ method, name }) => method === 'PUT' && name.includes('/photos/') },
  { at: 'a chunk that is removed', piece: 2, matches: ({ method }) => method === 'DELETE' },
];

test('[PHOTO-68] a server that is killed at any request to the bucket goes on at the byte, with all that it acknowledged', async () => {
  const bucket = await startS3Server();
  onTestFinished(() => bucket.close());
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const start = async () => {
    const environment = { ...bucket.environment, DATA_DIR: dataDir, GEMBA_RATE_LIMIT: '1000000/60' };
    const server = startServerProcess({ ...environment, LOG_LEVEL: 'trace' });
    const [, url] = await server.until(/listening on (\S+)\n/);
    return { ...server, url: url! };
  };
  let server = await start();
  const [key] = await server.until(/gk_\S{64}/);
  const printed = [server.printed];
  const api = () => new Api({ url: server.url, key, accountId: '' });
  const send = (photo: Buffer, offset: number) =>
    append(api(), photo, { offset, raw: photo.subarray(offset, offset + pieceBytes) });

  const photos: { photo: Buffer; acknowledged: number; at: string }[] = [];
  for (const { at, piece, matches } of kills) {
    const photo = largeJpeg(pieceBytes * pieces - 10_000, at);
    expect((await declare(api(), photo)).status).toBe(201);
    const acknowledged = piece * pieceBytes;
    for (let offset = 0; offset < acknowledged; offset += pieceBytes) {
      expect((await send(photo, offset)).status).toBe(204);
    }
    const { child, ended } = server;
    const kill: Misbehaviour = {
      kind: 'pause',
      run: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
    bucket.misbehave(kill, matches);
    await expect(send(photo, acknowledged)).rejects.toThrow();
    await ended;
    photos.push({ photo, acknowledged, at });
    server = await start();
    printed.push(server.printed);
  }

  for (const { photo, acknowledged, at } of photos) {
    // The claim of the request that died ends by itself.
    await expect
      .poll(async () => {
        const { body } = await declare(api(), photo);
        expect({ at, isThere: body.offset >= acknowledged }).toEqual({ at, isThere: true });
        if (body.status === 'uploading') await send(photo, body.offset);
        return body.status;
      })
      .toBe('stored');
    expectSameBytes((await download(api(), photoPath(photo))).bytes, photo);
    const part = await download(api(), photoPath(photo), { headers: { Range: 'bytes=299990-300009' } });
    expect(part.status).toBe(206);
    expectSameBytes(part.bytes, photo.subarray(299_990, 300_010));
  }
  const ids = photos.map(({ photo }) => photoIdOf(photo).slice('sha256:'.length));
  const left = [...bucket.objects.keys()].map((name) => name.replace(/^some\/folder\/photos\/[\w-]+\//, ''));
  expect(left.toSorted()).toEqual(ids.toSorted());
  for (const print of printed) {
    for (const secret of [bucket.settings.key, bucket.settings.secret]) expect(print()).not.toContain(secret);
  }
});
