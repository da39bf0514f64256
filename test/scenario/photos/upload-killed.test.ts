/** The real server process is killed while a photo is uploaded. What it acknowledged must be there after each restart. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { largeJpeg } from '../../photo-samples.ts';
import { randomBelow, randomWithPrintedSeed } from '../../random.ts';
import { Api, temporaryFolder } from '../../contract/fixture.ts';
import { append, declare, download, expectSameBytes, offsetOf, photoPath } from '../../contract/photos/photo-client.ts';
import { startServerProcess } from '../../contract/server-process.ts';
import { isStraceInstalled } from '../../contract/store/power/strace.ts';
import { readUploadTrace, uploadTraceOptions } from './upload-trace.ts';

const pieceBytes = 40_000;
const pieces = 6;
const killAfterMsMax = 40;

async function startServer(dataDir: string, runner: string[] = []) {
  const server = startServerProcess({ DATA_DIR: dataDir, GEMBA_RATE_LIMIT: '1000000/60' }, { runner });
  const [, url] = await server.until(/listening on (\S+)\n/);
  return { ...server, url: url! };
}

test('[PHOTO-40] a server that is killed at each piece of an upload goes on at the byte, with all that it acknowledged', async () => {
  const random = randomWithPrintedSeed();
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  let server = await startServer(dataDir);
  const [key] = await server.until(/gk_\S{64}/);
  const photo = largeJpeg(pieceBytes * pieces, 'killed');
  const api = () => new Api({ url: server.url, key, accountId: '' });
  expect((await declare(api(), photo)).status).toBe(201);
  const send = (offset: number) => append(api(), photo, { offset, raw: photo.subarray(offset, offset + pieceBytes) });
  let acknowledged = 0;
  let unanswered = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const offset = await offsetOf(api(), photo);
    expect(offset).toBeGreaterThanOrEqual(acknowledged);
    const { child, ended } = server;
    const sent = send(offset);
    setTimeout(() => child.kill('SIGKILL'), randomBelow(random, killAfterMsMax));
    const answer = await sent.catch(() => undefined);
    await ended;
    if (answer?.status === 204) acknowledged = Number(answer.headers.get('Upload-Offset'));
    if (!answer) unanswered++;
    server = await startServer(dataDir);
  }
  console.log(`Killed before an answer: ${unanswered} times.`);
  for (let offset = await offsetOf(api(), photo); offset < photo.length; offset = await offsetOf(api(), photo)) {
    expect(offset).toBeGreaterThanOrEqual(acknowledged);
    // The claim of a request that died ends by itself.
    await expect.poll(async () => (await send(offset)).status).not.toBe(423);
    acknowledged = await offsetOf(api(), photo);
    expect(acknowledged).toBeGreaterThan(offset);
  }
  expectSameBytes((await download(api(), photoPath(photo))).bytes, photo);
});

describe.skipIf(!isStraceInstalled())('under strace', () => {
  test('[PHOTO-41] no piece of an upload is acknowledged before its bytes, and then its offset, are on the disk', async () => {
    const { dataDir, remove } = temporaryFolder();
    onTestFinished(remove);
    const trace = join(dataDir, 'trace');
    const server = await startServer(dataDir, ['strace', ...uploadTraceOptions, '-o', trace]);
    const [key] = await server.until(/gk_\S{64}/);
    const api = new Api({ url: server.url, key, accountId: '' });
    const photo = largeJpeg(pieceBytes * pieces, 'traced');
    await declare(api, photo);
    for (let offset = 0; offset < photo.length; offset += pieceBytes) {
      const raw = photo.subarray(offset, offset + pieceBytes);
      expect((await append(api, photo, { offset, raw })).status).toBe(204);
    }
    const acks = readUploadTrace(readFileSync(trace, 'utf8'));
    const pieceCount = Math.ceil(photo.length / pieceBytes);
    expect(acks).toEqual(
      Array.from({ length: pieceCount }, () => ({ bytes: 'synced', offset: 'synced after the bytes' })),
    );
  });
});
