/** The server process starts, fails and drains. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openServer, type ServerOptions } from '../../../server/app.ts';
import { publicTargets } from '../../../server/webhooks/send/target.ts';
import { readEnvironment } from '../../../server/environment.ts';
import { createHttpApp } from '../../../server/http/http-app.ts';
import { healthThresholdsDefault } from '../../../server/fleet/device-health.ts';
import { accountLimitsDefault } from '../../../server/store/account-limits.ts';
import { StoreUnavailable, type Store } from '../../../server/store/store.ts';
import { Api, expectProblem, newApi, openServers, temporaryFolder } from '../../contract/fixture.ts';
import { startServerProcess } from '../../contract/server-process.ts';
import { protocol } from '../../contract/sync-client.ts';

function optionsWithFolder(options: Partial<ServerOptions> = {}): ServerOptions {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  return { dataDir, port: 0, host: '127.0.0.1', ...options };
}

test('[SERVER-1] [SERVER-10] the first start makes an account and prints a request that works when pasted', async () => {
  const { dataDir } = optionsWithFolder();
  const server = startServerProcess({ DATA_DIR: dataDir });
  const [command] = await server.until(/curl .*\\\n.*'\{.*\}'/);
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s -w '%{http_code}'`]);
  expect(stdout).toMatch(/"name":"Order to delivery".*201$/);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const again = startServerProcess({ DATA_DIR: dataDir });
  await again.until(/Operator.*\n/);
  again.child.kill('SIGTERM');
  expect(await again.ended).toBe(0);
  expect(again.printed()).not.toContain('gk_');
});

test('[SERVER-2] [SERVER-32] [PG-39] what keeps the server from starting is said in one line, with exit code 1', async () => {
  const { dataDir } = optionsWithFolder();
  const { first, close } = await openServers({ dataDir });
  onTestFinished(close);
  const wrong: [Record<string, string>, RegExp][] = [
    [{ PORT: 'abc' }, /^gemba: PORT must be an integer from 0 to 65535, not "abc"\n$/],
    [
      { PORT: String(first.port), DATA_DIR: optionsWithFolder().dataDir },
      /^gemba: port \d+ of 127.0.0.1 is in use.*\n$/,
    ],
    [
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      /^gemba: the database at DATABASE_URL cannot be reached.*\n$/,
    ],
    [{ DATABASE_URL: 'mysql://x' }, /^gemba: DATABASE_URL must be.*\n$/],
    [{ DATABASE_POOLER: 'transaction' }, /^gemba: DATABASE_POOLER needs POKE_DATABASE_URL, .*\n$/],
    [{ DATABASE_URL: 'postgres://[' }, /^gemba: DATABASE_URL is not a valid URL\n$/],
    [
      { GEMBA_S3_URL: 'https://s3.example/b' },
      /^gemba: GEMBA_S3_URL, .* must be set together; unset: GEMBA_S3_KEY, .*\n$/,
    ],
    [{ WEB_DIR: dataDir }, /^gemba: WEB_DIR must be the folder of the built app, with its index.html, not ".*"\n$/],
  ];
  for (const [environment, expected] of wrong) {
    const server = startServerProcess(environment);
    expect(await server.ended).toBe(1);
    expect(server.printed()).toMatch(expected);
  }
});

test('[SERVER-33] a DATA_DIR that is a file or takes no folder is named in one line', async () => {
  const file = join(optionsWithFolder().dataDir, 'file');
  await writeFile(file, '');
  const folders = [file, join(file, 'below'), ...(process.platform === 'linux' ? ['/proc/x/y'] : [])];
  for (const DATA_DIR of folders) {
    for (const HOST of ['127.0.0.1', '0.0.0.0']) {
      const server = startServerProcess({ DATA_DIR, HOST });
      expect(await server.ended).toBe(1);
      expect(server.printed()).toMatch(/^gemba: DATA_DIR .+ cannot be used as a folder: .*\n$/);
      expect(server.printed()).toContain(DATA_DIR);
    }
  }
});

test('[SERVER-3] the environment has defaults, and an empty variable counts as unset', () => {
  const defaults = {
    port: 8080,
    host: '127.0.0.1',
    databaseUrl: undefined,
    pokeDatabaseUrl: undefined,
    dataDir: './data',
    adminToken: undefined,
    rateLimit: { requests: 600, secs: 60 },
    storedBytesMax: accountLimitsDefault.storedBytesMax,
    photoBytesMax: accountLimitsDefault.photoBytesMax,
    sharesPhotos: false,
    pokes: 'listen',
    sendsWebhooks: true,
    webhookTargets: publicTargets,
    s3Region: 'us-east-1',
    healthThresholds: healthThresholdsDefault,
    logLevel: undefined,
  };
  expect(readEnvironment({})).toEqual({ ok: true, settings: defaults });
  expect(readEnvironment({ PORT: '', HOST: ' ', DATABASE_URL: '' })).toEqual({ ok: true, settings: defaults });
  expect(readEnvironment({ PORT: '70000', GEMBA_ADMIN_TOKEN: 'a token with spaces' })).toMatchObject({
    problems: [{}, {}],
  });
});

test('[SERVER-31] PUBLIC_URL is an address that a browser opens', () => {
  const publicUrlOf = (PUBLIC_URL: string) => {
    const environment = readEnvironment({ PUBLIC_URL });
    return environment.ok ? environment.settings.publicUrl : environment.problems;
  };
  for (const right of ['https://gemba.example', 'http://192.0.2.2:8080', 'https://[2001:db8::1]:8443']) {
    expect([right, publicUrlOf(right), publicUrlOf(`${right}/`)]).toEqual([right, right, right]);
  }
  const wrong = [
    'gemba.example',
    'https://',
    'https://[',
    'https://:::',
    'https://a:99999',
    'https://a/b',
    'https://a?b',
  ];
  for (const url of [...wrong, 'https://name:password@gemba.example']) {
    expect([url, publicUrlOf(url)]).toEqual([url, [expect.stringMatching(/^PUBLIC_URL must be an address /)]]);
  }
});

test('[SERVER-4] [SERVER-11] [SERVER-12] a draining server finishes what it began, ends its streams and takes nothing new', async () => {
  const server = await openServer(optionsWithFolder());
  const api = await newApi(server);
  const stream = await fetch(`${server.url}/api/v1/sync/events`, {
    headers: { Authorization: `Bearer ${api.key}`, ...protocol },
  });
  // The body of this request is still on its way when the drain begins.
  const body = JSON.stringify({ name: 'Under way' });
  const headers = { Authorization: `Bearer ${api.key}`, 'Content-Type': 'application/json', Expect: '100-continue' };
  const underWay = request(`${server.url}/api/v1/maps`, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': String(body.length) },
  });
  underWay.flushHeaders();
  await once(underWay, 'continue');
  const closed = server.close();
  const answered = once(underWay, 'response');
  underWay.end(body);
  const [response] = await answered;
  expect(response.statusCode).toBe(201);
  response.resume();
  await stream.text();
  await closed;
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed');
});

test('[OPS-1] a drain does not wait for a connection that never sent a request', async () => {
  const server = await openServer(optionsWithFolder());
  const { key } = await newApi(server);
  const bare = connect(server.port, '127.0.0.1');
  await once(bare, 'connect');
  const body = JSON.stringify({ name: 'Under way' });
  const underWay = request(`${server.url}/api/v1/maps`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      Expect: '100-continue',
    },
  });
  underWay.flushHeaders();
  await once(underWay, 'continue');
  const closed = server.close();
  // The other request is still under way, so the server can finish it.
  await once(bare.resume(), 'close');
  const answered = once(underWay, 'response');
  underWay.end(body);
  const [response] = await answered;
  expect(response.statusCode).toBe(201);
  response.resume();
  await closed;
});

test('[SERVER-5] without an operator token there are no operator routes', async () => {
  const server = await openServer(optionsWithFolder());
  onTestFinished(() => server.close());
  const operator = new Api({ url: server.url, key: 'guess', accountId: '' });
  expectProblem(await operator.post('/api/v1/admin/accounts', { name: 'X', plan: 'free' }), 404, 'not_found');
});

test('[SERVER-6] [SERVER-13] [SERVER-14] an outage of the store is 503 with Retry-After, a bug is 500, and neither tells what it is', async () => {
  const bugs: unknown[] = [];
  const server = await openServer(optionsWithFolder());
  onTestFinished(() => server.close());
  const { key, accountId } = await newApi(server);
  const failing: Partial<Store> = {
    ping: () => Promise.reject(new StoreUnavailable('SELECT secret')),
    maps: () => Promise.reject(new StoreUnavailable('SELECT secret')),
    run: () => Promise.reject(new Error('SELECT secret')),
  };
  const app = createHttpApp({
    services: { ...server.services, store: { ...server.store, ...failing } },
    adminToken: undefined,
    onBug: (bug) => void bugs.push(bug),
  });
  const listening = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void listening.close());
  await once(listening, 'listening');
  const { port } = listening.address() as { port: number };
  const api = new Api({ url: `http://127.0.0.1:${port}`, key, accountId });
  for (const path of ['/api/v1/maps', '/readyz']) {
    const unavailable = await api.get(path);
    expectProblem(unavailable, 503, 'unavailable');
    expect(Number(unavailable.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(JSON.stringify(unavailable.body)).not.toContain('SELECT');
  }
  const bug = await api.get('/api/v1/runs/1');
  expectProblem(bug, 500, 'internal_error');
  expect(JSON.stringify(bug.body)).not.toMatch(/SELECT|\.ts/);
  expect(bugs).toEqual([new Error('SELECT secret')]);
});
