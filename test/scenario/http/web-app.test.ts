/** How the server serves the built app, with a build of a few files. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { routesOf } from '../../../server/http/http-app.ts';
import { temporaryFolder } from '../../contract/fixture.ts';
import { startServerProcess } from '../../contract/server-process.ts';

const page = '<!doctype html><title>The app</title>';
const watchPage = '<!doctype html><title>The app on a watch</title>';
const deskPage = '<!doctype html><title>The app on a computer</title>';
const script = 'export const a = 1;\n'.repeat(100);

async function serveApp(more: Record<string, string | Buffer> = {}): Promise<RunningServer> {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const webDir = join(folder.dataDir, 'dist');
  const files = {
    'index.html': page,
    'watch.html': watchPage,
    'desk.html': deskPage,
    'sw.js': 'worker',
    'assets/index-abc.js': script,
    ...more,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(webDir, name)), { recursive: true });
    writeFileSync(join(webDir, name), text);
  }
  const server = await openServer({ dataDir: folder.dataDir, port: 0, host: '127.0.0.1', webDir });
  onTestFinished(() => server.close());
  return server;
}

test('[CODES-11] [APP-1] at / and at each place of the app is the page of its face, under a strict policy', async () => {
  const { url } = await serveApp();
  for (const path of [
    '/',
    '/pair',
    '/watch',
    '/watch/pair',
    '/desk',
    '/desk/maps/018f4d2a-0000-7000-8000-00000000000a/compare/7,9',
    '/maps/018f4d2a-0000-7000-8000-00000000000a',
    '/maps?q=a',
  ]) {
    const answer = await fetch(url + path);
    expect([path, answer.status, answer.headers.get('Content-Type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toBe(
      path.startsWith('/watch') ? watchPage : path.startsWith('/desk') ? deskPage : page,
    );
    const policy = answer.headers.get('Content-Security-Policy')!.split(';');
    for (const directive of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "worker-src 'self'"]) {
      expect(policy).toContain(directive);
    }
    expect(answer.headers.get('Permissions-Policy')).toBe('camera=(self), microphone=(), geolocation=()');
  }
});

test('[APP-584] pictures come from this server, from data and from memory alone', async () => {
  const { url } = await serveApp();
  const policy = (await fetch(url)).headers.get('Content-Security-Policy')!.split(';');
  expect(policy.filter((directive) => directive.includes('blob:') || directive.startsWith('img-src'))).toEqual([
    "img-src 'self' data: blob:",
  ]);
});

/** Asks with `node:http`, which decompresses nothing. */
async function bytesOf(url: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': 'br' } }, resolve).on('error', reject);
  });
  return { encoding: response.headers['content-encoding'], bytes: await buffer(response) };
}

test('[APP-588] a file is sent as the build compressed it, unless somebody changed the file since', async () => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  const [same, other] = [script, page].map((text) => brotliCompressSync(text, { params })) as [Buffer, Buffer];
  for (const [compressed, isUsed] of [
    [same, true],
    [other, false],
    [Buffer.from('no brotli'), false],
  ] as const) {
    const { url } = await serveApp({ 'assets/index-abc.js.br': compressed });
    const { encoding, bytes } = await bytesOf(`${url}/assets/index-abc.js`);
    expect([encoding, bytes.equals(compressed), String(brotliDecompressSync(bytes))]).toEqual(['br', isUsed, script]);
    expect((await fetch(`${url}/assets/index-abc.js.br`)).status).toBe(404);
  }
});

test('[APP-2] what is no file and no place of the app stays a problem', async () => {
  const { url } = await serveApp();
  for (const path of [
    '/nowhere',
    '/maps/app.js',
    '/index-abc.js',
    '/assets/',
    '/api/v1/nowhere',
    '/../package.json',
    '/%2e%2e/package.json',
    '/mapsy',
  ]) {
    const answer = await fetch(url + path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  }
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
});

test('[APP-333] a browser gets the app with 404 at an unknown address, but no file and nothing of the API', async () => {
  const { url } = await serveApp();
  const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  for (const path of ['/nowhere', '/settings', '/maps2/7']) {
    const answer = await fetch(url + path, { headers });
    expect([path, answer.status, await answer.text()]).toEqual([path, 404, page]);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  }
  for (const path of ['/api/v1/nowhere', '/api', '/nowhere.js', '/assets/nowhere.css']) {
    const answer = await fetch(url + path, { headers });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  }
});

test('[APP-2] no route of the API is answered with the app', async () => {
  const server = await serveApp();
  for (const { method, path } of routesOf(server.services, undefined)) {
    if (method !== 'GET') continue;
    const answer = await fetch(server.url + path.replaceAll(/:\w+/g, '7'));
    expect([path, await answer.text()]).not.toEqual([path, page]);
  }
});

test('[APP-3] [APP-113] [APP-114] a file with a hash is kept for a year, compressed where that is smaller; the others are asked for again', async () => {
  const { url } = await serveApp({ 'files/manual.js': 'a file of the app that may change' });
  const asset = await fetch(`${url}/assets/index-abc.js`);
  expect(asset.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('Content-Encoding')).toBe('gzip');
  expect(Number(asset.headers.get('Content-Length'))).toBeLessThan(script.length / 4);
  expect(await asset.text()).toBe(script);
  const plain = await fetch(`${url}/assets/index-abc.js`, { headers: { 'Accept-Encoding': 'identity' } });
  expect(plain.headers.get('Content-Encoding')).toBeNull();
  expect(await plain.text()).toBe(script);
  expect(plain.headers.get('ETag')).not.toBe(asset.headers.get('ETag'));
  for (const path of ['/', '/sw.js', '/files/manual.js']) {
    const { headers } = await fetch(url + path);
    expect([path, headers.get('Cache-Control'), headers.get('Vary')]).toEqual([path, 'no-cache', 'Accept-Encoding']);
    const known = await fetch(url + path, { headers: { 'If-None-Match': headers.get('ETag')! } });
    expect([path, known.status]).toEqual([path, 304]);
  }
  const head = await fetch(`${url}/sw.js`, { method: 'HEAD' });
  expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([200, '6', '']);
});

test('[APP-400] a file and the reference come with brotli where it is accepted, and are asked for again by an ETag for each encoding', async () => {
  const { url } = await serveApp();
  for (const path of ['/assets/index-abc.js', '/docs', '/docs/start.js', '/api/v1/openapi.json']) {
    const answers = [];
    for (const accepted of ['gzip, deflate, br, zstd', 'gzip', 'br;q=0, identity']) {
      const headers = { 'Accept-Encoding': accepted };
      const answer = await fetch(url + path, { headers });
      const etag = answer.headers.get('ETag')!;
      const again = await fetch(url + path, { headers: { ...headers, 'If-None-Match': `"other", W/${etag}` } });
      expect([path, again.status, again.headers.get('ETag'), await again.text()]).toEqual([path, 304, etag, '']);
      expect(answer.headers.get('Vary')).toContain('Accept-Encoding');
      const encoding = answer.headers.get('Content-Encoding');
      const size = Number(answer.headers.get('Content-Length'));
      answers.push({ encoding, size, etag, text: await answer.text() });
    }
    expect([path, answers.map(({ encoding }) => encoding)]).toEqual([path, ['br', 'gzip', null]]);
    const [brotli, gzipped, plain] = answers.map(({ size }) => size);
    expect([path, brotli! < gzipped!, gzipped! < plain!]).toEqual([path, true, true]);
    expect(new Set(answers.map(({ etag }) => etag)).size).toBe(3);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  }
  const tiny = await fetch(`${url}/sw.js`, { headers: { 'Accept-Encoding': 'br' } });
  expect([tiny.headers.get('Content-Encoding'), await tiny.text()]).toEqual([null, 'worker']);
});

test('[APP-9] [APP-606] the start prints a link that pairs the first phone, with its QR code, until there is a device, and then how to make a code', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const environment = { DATA_DIR: dataDir, PUBLIC_URL: 'https://gemba.example/' };
  const first = startServerProcess(environment);
  const [, url] = await first.until(/listening on (\S+)\n/);
  const [, code] = await first.until(
    / {4}https:\/\/gemba\.example\/pair#([0-9A-Z]{4}-[0-9A-Z]{4})\n[^]*?( {4}[ █▀▄]{25,}\n){12,}/,
  );
  const body = { code, device_id: '018f4d2a-0000-4000-8000-00000000000a', device_name: 'A', device_kind: 'phone' };
  const headers = { 'Content-Type': 'application/json' };
  const paired = await fetch(`${url}/api/v1/auth/pair`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(paired.status).toBe(201);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const again = startServerProcess(environment);
  const [, command] = await again.until(/an API key:\n {4}(curl [^]*?"phone"\}')\n/);
  const key = /gk_[\w-]+/.exec(first.printed())![0];
  const { stdout } = await promisify(execFile)('sh', ['-c', command!.replace('gk_...', key)]);
  expect(JSON.parse(stdout)).toMatchObject({ code: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/) });
  again.child.kill('SIGTERM');
  expect(await again.ended).toBe(0);
  expect(again.printed()).not.toContain('/pair#');
});

test('[LIMIT-39] files of the app and the guide count for nobody, and files that are not there count for the address', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const [webDir, guideDir] = [join(folder.dataDir, 'dist'), join(folder.dataDir, 'site')];
  for (const [dir, name] of [
    [webDir, 'index.html'],
    [webDir, 'assets/index-abc.js'],
    [guideDir, 'index.html'],
  ] as const) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), page);
  }
  const rateLimit = { requests: 3, secs: 600 };
  const place = { dataDir: folder.dataDir, port: 0, host: '127.0.0.1' };
  const server = await openServer({ ...place, webDir, guideDir, rateLimit });
  onTestFinished(() => server.close());
  const statusesOf = (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await fetch(server.url + path)).status));
  const crew = Array.from({ length: 20 }, () => ['/', '/maps', '/assets/index-abc.js', '/docs/guide/']).flat();
  expect(new Set(await statusesOf(...crew))).toEqual(new Set([200]));
  const { headers } = await fetch(`${server.url}/assets/index-abc.js`);
  expect(headers.get('RateLimit')).toMatch(/^"default";r=3;/);
  for (const path of ['/assets/none.js', '/docs/guide/none']) expect(await statusesOf(path)).toEqual([404]);
  expect((await fetch(`${server.url}/assets/index-abc.js`, { method: 'POST' })).status).toBe(404);
  expect(await statusesOf('/assets/none.js')).toEqual([429]);
  expect(await statusesOf('/assets/index-abc.js')).toEqual([200]);
});
