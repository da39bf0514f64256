/** Rate limits over HTTP, with the counts in each database. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openServer, type RunningServer, type ServerOptions } from '../../server/app.ts';
import { bodyBytesMax } from '../../shared/schema/limits.ts';
import { adminToken, Api, expectProblem, newApi, type Received } from './fixture.ts';
import { protocol } from './sync-client.ts';

const policyOf = ({ headers }: { headers: Headers }) => headers.get('RateLimit-Policy');
const remainingIn = ({ headers }: { headers: Headers }) =>
  Number(/^"default";r=(\d+);t=\d+$/.exec(headers.get('RateLimit') ?? '')?.[1]);

/** Sends these bytes and reads the answer as text. */
async function sendRaw({ port }: RunningServer, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

/** The default timeout falls back to local counts when the database is slow; these tests need the shared counts. */
export const countMsMax = 60_000;

export interface RateLimitDatabase {
  database(): Pick<ServerOptions, 'dataDir' | 'databaseUrl'>;
  /** The keys in the table of counts. */
  keys(): Promise<string[]>;
}

export function limitsContract({ database, keys }: RateLimitDatabase): void {
  const open = async (rateLimit?: { requests: number; secs: number }): Promise<RunningServer> => {
    const server = await openServer({ ...database(), port: 0, host: '127.0.0.1', adminToken, rateLimit, countMsMax });
    onTestFinished(() => server.close());
    return server;
  };

  test('[LIMIT-1] every response carries RateLimit-Policy and RateLimit', async () => {
    const server = await open();
    const api = await newApi(server);
    const made = await api.post('/api/v1/maps', { name: 'Map' });
    const path = `/api/v1/maps/${made.body.id}`;
    const received: [number, Received][] = [
      [201, made],
      [304, await api.get(path, { 'If-None-Match': made.headers.get('ETag')! })],
      [404, await api.get('/nowhere')],
      [404, await api.get('/api/v1/maps/%zz')],
      [405, await api.send('DELETE', path, {})],
      [204, await api.send('OPTIONS', path, {})],
      [200, await api.send('HEAD', path, {})],
      [413, await api.post('/api/v1/maps', { name: 'x'.repeat(bodyBytesMax) })],
      [422, await api.post('/api/v1/maps', {})],
      [401, await new Api({ ...api, url: server.url, key: 'guess' }).get(path)],
      [200, await api.get('/healthz')],
      [200, await api.get('/readyz')],
    ];
    for (const [status, one] of received) {
      expect([one.status, policyOf(one)]).toEqual([status, '"default";q=600;w=60']);
      expect(remainingIn(one)).toBeGreaterThan(0);
    }
    const stream = await fetch(`${server.url}/api/v1/sync/events`, {
      headers: { Authorization: `Bearer ${api.key}`, ...protocol },
    });
    expect([stream.status, policyOf(stream)]).toEqual([200, '"default";q=600;w=60']);
    await stream.body!.cancel();
  });

  test('[LIMIT-26] and also what never becomes a request is answered with a problem and the two headers', async () => {
    const server = await open();
    const broken: [number, string, string][] = [
      [400, 'malformed_request', 'GET / HTTP/9.9\r\n\r\n'],
      [400, 'malformed_request', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
      [400, 'malformed_request', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
      [431, 'headers_too_large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`],
    ];
    for (const [status, code, bytes] of broken) {
      const answer = await sendRaw(server, bytes);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*"code":"${code}"`, 's'));
      expect(answer).toMatch(/^RateLimit-Policy: "default";q=600;w=60\r$/m);
      expect(answer).toMatch(/^RateLimit: "default";r=\d+;t=\d+\r$/m);
      expect(answer).toMatch(/^Content-Type: application\/problem\+json\r$/m);
    }
  });

  test('[LIMIT-2] [LIMIT-27] all processes of one store count together, each token for itself', async () => {
    const rateLimit = { requests: 6, secs: 60 };
    const [first, second] = [await open(rateLimit), await open(rateLimit)];
    const one = await newApi(first);
    const other = await newApi(first);
    const left: number[] = [];
    for (const server of [first, second, first, second, second, first]) {
      const received = await one.at(server).get('/api/v1/maps');
      expect(received.status).toBe(200);
      left.push(remainingIn(received));
    }
    expect(left).toEqual([5, 4, 3, 2, 1, 0]);
    for (const server of [first, second, second]) {
      const refused = await one.at(server).get('/api/v1/maps');
      expectProblem(refused, 429, 'rate_limited');
      expect(remainingIn(refused)).toBe(0);
      const retryAfter = Number(refused.headers.get('Retry-After'));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(60);
      expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${retryAfter}`);
    }
    expect(remainingIn(await other.at(second).get('/api/v1/maps'))).toBe(5);
  });

  test('[LIMIT-2] requests that arrive at once, at two processes, are each counted', async () => {
    const rateLimit = { requests: 40, secs: 60 };
    const [first, second] = [await open(rateLimit), await open(rateLimit)];
    const api = await newApi(first);
    const sent = Array.from({ length: 60 }, (_, index) => api.at(index % 2 ? first : second).get('/api/v1/maps'));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test('[LIMIT-3] [LIMIT-28] without a token the address counts, and tokens that nobody knows buy no more', async () => {
    const server = await open({ requests: 3, secs: 60 });
    const api = await newApi(server);
    // This process has not accepted the key before, so the request may count as a guess.
    expect((await api.get('/api/v1/maps')).status).toBe(200);
    const guess = (number: number) =>
      new Api({ ...api, url: server.url, key: `gk_${String(number).padStart(64, 'A')}` }).get('/api/v1/maps');
    const statuses: number[] = [];
    for (let number = 0; number < 5; number++) statuses.push((await guess(number)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expectProblem(await api.get('/nowhere', { Authorization: '' }), 429, 'rate_limited');
    expect((await api.get('/api/v1/maps')).status).toBe(200);
  });

  test('[LIMIT-11] whatever does not look at the token counts for the address, however many tokens are made up', async () => {
    const server = await open({ requests: 10, secs: 600 });
    const before = await keys();
    const attacks: [string, string][] = [
      ['GET', '/docs'],
      ['GET', '/api/v1/openapi.json'],
      ['GET', '/nowhere'],
      ['GET', '/assets/none.js'],
      ['DELETE', '/api/v1/maps'],
      ['OPTIONS', '/api/v1/maps'],
      ['POST', '/api/v1/auth/pair'],
    ];
    const statuses: number[] = [];
    for (let number = 0; number < 20; number++) {
      const [method = '', path = ''] = attacks[number % attacks.length] ?? [];
      const answer = await fetch(server.url + path, { method, headers: { Authorization: `Bearer made-up-${number}` } });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses.slice(10)).toEqual(Array(10).fill(429));
    expect(await keys()).toHaveLength(before.length + 1);
  });

  test('[LIMIT-19] no key names an address', async () => {
    const server = await open();
    await fetch(`${server.url}/nowhere`);
    const known = await keys();
    expect(known.length).toBeGreaterThan(0);
    for (const key of known) expect(key).toMatch(/^[\w-]{43}$/);
  });

  test("[LIMIT-12] over its address's limit no token is looked at, the operator's right one neither", async () => {
    const server = await open({ requests: 5, secs: 600 });
    const api = await newApi(server);
    const operator = (key: string) => new Api({ ...api, url: server.url, key });
    const make = (key: string) => operator(key).post('/api/v1/admin/accounts', { name: 'Works', plan: 'team' });
    for (let number = 0; number < 5; number++) {
      expectProblem(await make(`guess-of-a-token-${number}`), 401, 'unauthorized');
    }
    expectProblem(await make(adminToken), 429, 'rate_limited');
    const lookups: unknown[] = [];
    const { token } = server.services.store;
    server.services.store.token = (key) => {
      lookups.push(key);
      return token(key);
    };
    expectProblem(await api.get('/api/v1/maps'), 429, 'rate_limited');
    expect(lookups).toEqual([]);
  });

  test('[LIMIT-13] a token that was found good of late is slowed by nobody behind its address, until it is revoked', async () => {
    const server = await open({ requests: 5, secs: 600 });
    const api = await newApi(server);
    const { body: made } = await api.post('/api/v1/keys', {});
    const other = new Api({ ...api, url: server.url, key: made.api_key });
    expect((await other.get('/api/v1/maps')).status).toBe(200);
    const stranger = new Api({ ...api, url: server.url, key: 'made-up' });
    // Requests with a good token do not count against their address.
    for (let number = 0; number < 5; number++) expectProblem(await stranger.get('/api/v1/maps'), 401, 'unauthorized');
    expectProblem(await stranger.get('/api/v1/maps'), 429, 'rate_limited');
    expect((await other.get('/api/v1/maps')).status).toBe(200);
    expect((await api.post(`/api/v1/keys/${made.key.id}/revoke`)).status).toBe(200);
    expectProblem(await other.get('/api/v1/maps'), 429, 'rate_limited');
    expect(remainingIn(await api.get('/api/v1/maps'))).toBe(2);
  });

  test('[LIMIT-18] a clock that was ahead makes nobody wait longer than a window', async () => {
    const server = await open({ requests: 3, secs: 60 });
    const api = await newApi(server);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() + 2 * 60 * 60_000);
    for (let count = 0; count < 2; count++) await api.get('/api/v1/maps');
    vi.useRealTimers();
    const counted = await api.get('/api/v1/maps');
    expect([counted.status, remainingIn(counted)]).toEqual([200, 0]);
    expect(Number(/t=(\d+)/.exec(counted.headers.get('RateLimit') ?? '')?.[1])).toBeLessThanOrEqual(60);
    const over = await api.get('/api/v1/maps');
    expectProblem(over, 429, 'rate_limited');
    expect(Number(over.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  });

  test('[LIMIT-18] also whom it kept out is let in after a window', async () => {
    const server = await open({ requests: 3, secs: 60 });
    const api = await newApi(server);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now() + 2 * 60 * 60_000);
    for (let count = 0; count < 5; count++) await api.get('/api/v1/maps');
    vi.useRealTimers();
    const over = await api.get('/api/v1/maps');
    expectProblem(over, 429, 'rate_limited');
    expect(Number(over.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  });

  test('[LIMIT-4] health is told whatever the limit says', async () => {
    const server = await open({ requests: 1, secs: 60 });
    const nobody = new Api({ url: server.url, key: '', accountId: '' });
    expect((await nobody.get('/nowhere')).status).toBe(404);
    expect((await nobody.get('/nowhere')).status).toBe(429);
    for (const path of ['/healthz', '/readyz', '/healthz']) {
      const told = await nobody.get(path);
      expect([told.status, policyOf(told)]).toEqual([200, '"default";q=1;w=60']);
    }
  });

  test('[LIMIT-5] who waits as long as Retry-After says is served again', async () => {
    const server = await open({ requests: 1, secs: 1 });
    const api = await newApi(server);
    let answer = await api.get('/api/v1/maps');
    expect(answer.status).toBe(200);
    // A busy machine may be slower than the window.
    while (answer.status === 200) answer = await api.get('/api/v1/maps');
    expectProblem(answer, 429, 'rate_limited');
    await sleep(Number(answer.headers.get('Retry-After')) * 1_000);
    expect((await api.get('/api/v1/maps')).status).toBe(200);
  });
}
