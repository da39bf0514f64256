/** Bodies that cost the server more than their sender. */
import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openServer, type RunningServer, type ServerOptions } from '../../../server/app.ts';
import { CollectedBytes } from '../../../server/http/body/collected-bytes.ts';
import { bodyMemoryLimits, createMemoryBudget } from '../../../server/http/limits/memory-budget.ts';
import { bodyBytesMax, jsonDepthMax, publicBodyBytesMax, pushBodyBytesMax } from '../../../shared/schema/limits.ts';
import { createAccountOn, operatorToken } from '../operations/failing-pair.ts';
import { Api, expectProblem, newApi, temporaryFolder, type Received } from '../../contract/fixture.ts';
import { bodyChunk, openRawClient, requestHead } from '../../contract/raw-client.ts';
import { residentBytes } from '../../contract/resident-bytes.ts';
import { startServerProcess } from '../../contract/server-process.ts';
import { protocol, SyncClient } from '../../contract/sync-client.ts';

const json = { 'Content-Type': 'application/json' };

async function open(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', ...options });
  onTestFinished(() => server.close().finally(remove));
  return server;
}

function pair({ url }: RunningServer, raw: string | Uint8Array, headers = {}): Promise<Received> {
  const nobody = new Api({ url, key: '', accountId: '' });
  return nobody.send('POST', '/api/v1/auth/pair', { raw, headers: { ...json, Authorization: '', ...headers } });
}

test('[REST-60] pairing takes no compressed body, whoever sends it', async () => {
  const server = await open();
  const nested = `{"code":${'['.repeat(520_000)}${']'.repeat(520_000)}}`;
  const attack = brotliCompressSync(nested);
  expect(attack.length).toBeLessThan(100);
  for (const [encoding, raw] of [
    ['br', attack],
    ['gzip', gzipSync('{}')],
    ['deflate', deflateSync('{}')],
    ['gzip, br', gzipSync('{}')],
  ] as const) {
    for (const Authorization of ['', 'Bearer made-up']) {
      const refused = await pair(server, raw, { 'Content-Encoding': encoding, Authorization });
      expectProblem(refused, 415, 'unsupported_media_type');
      expect(refused.body.detail).toContain('without Content-Encoding');
    }
  }
  expectProblem(await pair(server, '{}', { 'Content-Encoding': 'identity' }), 422, 'validation_failed');
});

test('[REST-61] pairing takes a body of 4 KiB and no larger one', async () => {
  const server = await open();
  expectProblem(await pair(server, `{${' '.repeat(publicBodyBytesMax - 2)}}`), 422, 'validation_failed');
  const refused = await pair(server, `{${' '.repeat(publicBodyBytesMax - 1)}}`);
  expectProblem(refused, 413, 'payload_too_large');
  expect(refused.body.bytes_max).toBe(4_096);
});

test('[REST-62] JSON that nests deeper than 32 levels is refused before it is parsed', async () => {
  const server = await open();
  const api = await newApi(server);
  const send = (raw: string) => api.send('POST', '/api/v1/maps', { raw, headers: json });
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expectProblem(await send(nested(jsonDepthMax)), 422, 'validation_failed');
  for (const raw of [nested(jsonDepthMax + 1), '['.repeat(bodyBytesMax), `{"name":${'{"a":'.repeat(32)}1`]) {
    const refused = await send(raw);
    expectProblem(refused, 400, 'malformed_json');
    expect(refused.body.detail).toContain('32 levels');
  }
  // Brackets inside a string do not nest, and neither do brackets side by side.
  const named = await send(JSON.stringify({ name: `\\"${'['.repeat(100)}"{{` }));
  expect(named.status).toBe(201);
  expect((await send(`[${'[],'.repeat(100)}[]]`)).status).toBe(422);
});

test('[REST-70] JSON with a thousand different names of fields, or a million values, is taken, and with more is refused before it is parsed', async () => {
  const server = await open();
  const api = await newApi(server);
  const push = (mutations: string) => {
    const raw = `{"client_id":"${randomUUID()}","acked_seq":0,"mutations":[${mutations}]}`;
    return api.send('POST', '/api/v1/sync/push', { raw, headers: { ...json, ...protocol } });
  };
  const names = (count: number) => Array.from({ length: count }, (_, index) => `"n${index}" \n : "n:${index}"`).join();
  for (const objects of [`{${names(1_100)}}`, `{${names(600)}},{${names(1_100).replaceAll('"n', '"m')}}`]) {
    const refused = await push(objects);
    expectProblem(refused, 400, 'malformed_json');
    expect(refused.body.detail).toContain('different names');
  }
  const known = Array.from({ length: 40 }, () => `{${names(900)}}`).join();
  expect((await push(known)).body.results).toHaveLength(40);
  const refused = await push(`{"args":[${'0,'.repeat(1_000_000)}0]}`);
  expectProblem(refused, 400, 'malformed_json');
  expect(refused.body.detail).toContain('values');
});

test('[PUSH-30] a mutation of more than 50,000 values is rejected by itself, and its number stands for it', async () => {
  const server = await open();
  const api = await newApi(server);
  const client = new SyncClient(api);
  const map_id = randomUUID();
  const huge = client.next('reorder_stages', { map_id, stage_ids: Array.from({ length: 60_000 }, (_, id) => id + 1) });
  const batch = [huge, client.next('create_map', { name: 'Saw' })];
  const { results } = (await client.push(batch)).body;
  const errors = [{ path: '', message: 'has more than 50000 values' }];
  expect(results).toMatchObject([{ error: { code: 'validation_failed', errors } }, { status: 'applied' }]);
  expect((await client.push(batch)).body.results).toEqual(results);
  const other = { ...huge, args: { map_id, stage_ids: Array.from({ length: 60_000 }, (_, id) => id + 2) } };
  expectProblem(await client.push([other]), 409, 'sequence_reused');
});

test('[REST-63] a compressed body of a known token counts by what it inflates to, whatever it is made of', async () => {
  const server = await open();
  const api = await newApi(server);
  const send = (encoding: string, raw: Uint8Array) =>
    api.send('POST', '/api/v1/maps', { raw, headers: { ...json, 'Content-Encoding': encoding } });
  const small = Buffer.from('{"name":"Saw"}');
  const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  for (const [encoding, compressed] of Object.entries(compress)) {
    expect((await send(encoding, compressed(small))).status).toBe(201);
    expect((await send(encoding.toUpperCase(), compressed(small))).status).toBe(201);
    const large = compressed(Buffer.alloc(bodyBytesMax + 1, ' '));
    expectProblem(await send(encoding, large), 413, 'payload_too_large');
    expectProblem(await send(encoding, compressed(small).subarray(0, 9)), 400, 'malformed_json');
    expectProblem(await send(encoding, small), 400, 'malformed_json');
    expectProblem(await send(`${encoding}, ${encoding}`, compressed(compressed(small))), 415, 'unsupported_media_type');
  }
  const half = gzipSync(Buffer.alloc(bodyBytesMax / 2, ' '));
  expect((await send('gzip', Buffer.concat([half, gzipSync(small)]))).status).toBe(201);
  expectProblem(await send('gzip', Buffer.concat([half, half, gzipSync(small)])), 413, 'payload_too_large');
});

/** Opens connections that send a chunked body without its end. */
async function openUnfinishedRequests(given: {
  port: number;
  key: string;
  path: string;
  count: number;
  body: Uint8Array;
}) {
  const { port, key, path, count, body } = given;
  const headers = { ...json, ...protocol, Authorization: `Bearer ${key}`, 'Transfer-Encoding': 'chunked' };
  const encoding: Record<string, string> = body[0] === 0x1f ? { 'Content-Encoding': 'gzip' } : {};
  const bytes = Buffer.concat([Buffer.from(requestHead('POST', path, { ...headers, ...encoding })), bodyChunk(body)]);
  return Promise.all(Array.from({ length: count }, () => openRawClient(port, bytes)));
}

test('[LIMIT-10] [LIMIT-36] bodies that were never finished hold no more memory than was sent, however they are compressed', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const server = startServerProcess({ DATA_DIR: dataDir, GEMBA_ADMIN_TOKEN: operatorToken });
  const [, url] = await server.until(/listening on (\S+)\n/);
  const api = await createAccountOn(url!);
  await api.createMap();
  const before = residentBytes(server.child.pid!);
  const bomb = gzipSync(Buffer.alloc(pushBodyBytesMax - 1, ' '));
  const body = bomb.subarray(0, bomb.length - 12);
  expect(body.length).toBeLessThan(10_000);
  await openUnfinishedRequests({
    port: Number(new URL(url!).port),
    key: api.key,
    path: '/api/v1/sync/push',
    count: 100,
    body,
  });
  // These answers show that the server has read everything sent before.
  for (let count = 0; count < 20; count++) expect((await api.get('/api/v1/maps')).status).toBe(200);
  expect(residentBytes(server.child.pid!) - before).toBeLessThan(200 * 1024 * 1024);
});

test('[LIMIT-10] a token whose unfinished bodies hold as much as they may is told to let some end, and others go on', async () => {
  const server = await open();
  const [api, other] = [await newApi(server), await newApi(server)];
  const { bytesPerTokenMax } = bodyMemoryLimits;
  const body = Buffer.alloc(pushBodyBytesMax, ' ');
  const { port } = server;
  const push = { port, key: api.key, path: '/api/v1/sync/push', count: bytesPerTokenMax / body.length, body };
  const held = await openUnfinishedRequests(push);
  const send = (from: Api) => from.post('/api/v1/maps', { name: 'Saw' });
  await expect.poll(async () => (await send(api)).status).toBe(429);
  const refused = await send(api);
  expectProblem(refused, 429, 'rate_limited');
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await send(other)).status).toBe(201);
  for (const { socket } of held) socket.destroy();
  await expect.poll(async () => (await send(api)).status).toBe(201);
});

test('[LIMIT-10] [LIMIT-35] when all bodies together hold as much as they may, the next is 503 and its connection ends', async () => {
  const bodyMemory = { ...bodyMemoryLimits, bytesMax: 64 * 1024, bytesPerAddressMax: 4 * publicBodyBytesMax };
  // The timeouts are long, so that only the memory limit can end a connection.
  const server = await open({ bodyMemory, timeouts: { requestMsMax: 3_600_000, slowRequestMsMax: 3_600_000 } });
  const api = await newApi(server);
  const body = Buffer.alloc(48 * 1024, ' ');
  const { port } = server;
  const [first] = await openUnfinishedRequests({ port, key: api.key, path: '/api/v1/maps', count: 1, body });
  // The server refuses whichever of the two it reads second.
  const [second] = await openUnfinishedRequests({ port, key: api.key, path: '/api/v1/maps', count: 1, body });
  const refused = () => [first!, second!].find(({ answer }) => answer() !== '');
  await expect.poll(() => refused()?.answer()).toMatch(/^HTTP\/1.1 503 .*"code":"unavailable"/s);
  expect(refused()!.answer()).toMatch(/^Retry-After: \d+\r$/m);
  expect(refused()!.answer()).toMatch(/^Connection: close\r$/m);
  await expect.poll(() => refused()!.socket.destroyed).toBe(true);
});

test('[LIMIT-10] [LIMIT-34] unfinished bodies without a token count against their address', async () => {
  const bodyMemory = { ...bodyMemoryLimits, bytesPerAddressMax: 2 * publicBodyBytesMax };
  const server = await open({ bodyMemory });
  const body = Buffer.alloc(publicBodyBytesMax, ' ');
  const { port } = server;
  await openUnfinishedRequests({ port, key: 'made-up', path: '/api/v1/auth/pair', count: 2, body });
  await expect.poll(async () => (await pair(server, '{}')).status).toBe(429);
});

test('[LIMIT-10] a body in pieces of a byte holds what one in a piece holds', () => {
  const budget = createMemoryBudget({ ...bodyMemoryLimits, bytesMax: 8_192 });
  const collected = new CollectedBytes({ bytesMax: 5_000, lease: budget.lease([]) });
  for (let count = 0; count < 5_000; count++) expect(collected.add(Buffer.from('a'))).toBeUndefined();
  expect(collected.bytes.toString()).toBe('a'.repeat(5_000));
  expect(collected.add(Buffer.from('a'))).toMatchObject({ error: { code: 'payload_too_large' } });
});
