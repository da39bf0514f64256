/** Responses that the server compresses for one request. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { newApi, temporaryFolder, type Api } from '../../contract/fixture.ts';

async function openApi(): Promise<Api> {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close().finally(remove));
  return newApi(server);
}

/** Asks with `node:http`, which decompresses nothing. */
async function ask({ url, key }: Pick<Api, 'url' | 'key'>, path: string, acceptEncoding?: string, method = 'GET') {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Gemba-Protocol': '1',
    ...(acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(new URL(path, url), { headers, method }, resolve).on('error', reject);
  });
  return { headers: response.headers, status: response.statusCode, bytes: await buffer(response) };
}

test('[REST-91] a list and a pull are compressed as the client accepts, and are the same bytes once decompressed', async () => {
  const api = await openApi();
  for (let index = 0; index < 8; index++) await api.post('/api/v1/maps', { name: `Packing line ${index}` });
  for (const [path, vary] of [
    ['/api/v1/maps', 'Accept-Encoding'],
    ['/api/v1/sync/pull', 'Accept, Accept-Encoding'],
  ] as const) {
    const plain = await ask(api, path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.bytes.length).toBeGreaterThan(1024);
    for (const [accepted, encoding, decompress] of [
      ['gzip, deflate', 'gzip', gunzipSync],
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip;q=1, br;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const compressed = await ask(api, path, accepted);
      expect(compressed.headers).toMatchObject({ 'content-encoding': encoding, vary });
      expect(compressed.headers['content-length']).toBe(String(compressed.bytes.length));
      expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 3);
      expect(decompress(compressed.bytes).toString()).toBe(plain.bytes.toString());
      const head = await ask(api, path, accepted, 'HEAD');
      expect(head.headers['content-length']).toBe(compressed.headers['content-length']);
    }
    expect((await ask(api, path, 'identity')).headers['content-encoding']).toBeUndefined();
  }
});

test('[REST-91] [REST-92] a small response, a record with an ETag and a response without a token are sent as they are', async () => {
  const api = await openApi();
  const { body } = await api.post('/api/v1/maps', { name: 'Saw' });
  const list = await ask(api, '/api/v1/maps?limit=1', 'br');
  expect(list.bytes.length).toBeLessThan(1024);
  for (let index = 0; index < 20; index++) {
    await api.post(`/api/v1/maps/${body.id}/stages`, { stage: `Stage ${index}` });
  }
  const map = await ask(api, `/api/v1/maps/${body.id}`, 'br');
  expect(map.bytes.length).toBeGreaterThan(1024);
  expect(map.headers['etag']).toBeDefined();
  const problems = await ask({ url: api.url, key: '' }, '/api/v1/maps', 'br');
  for (const plain of [list, map, problems]) expect(plain.headers['content-encoding']).toBeUndefined();
});
