/** Rate limits over HTTP, with the counts in each database. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type RunningServer } from '../../server/app.ts';
import { bodyBytesMax } from '../../shared/schema/limits.ts';
import { Api, expectProblem, newApi, type Received } from './fixture.ts';
import { openLimitedServer, remainingRequests, type RateLimitDatabase } from './rate-limit-database.ts';
import { protocol } from './sync-client.ts';

const policyOf = ({ headers }: { headers: Headers }) => headers.get('RateLimit-Policy');

/** Sends these bytes and reads the answer as text. */
async function sendRaw({ port }: RunningServer, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

export function limitsContract(limited: RateLimitDatabase): void {
  const open = (rateLimit?: { requests: number; secs: number }, clock?: () => number) =>
    openLimitedServer(limited, rateLimit, clock);

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
      expect(remainingRequests(one)).toBeGreaterThan(0);
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
      left.push(remainingRequests(received));
    }
    expect(left).toEqual([5, 4, 3, 2, 1, 0]);
    for (const server of [first, second, second]) {
      const refused = await one.at(server).get('/api/v1/maps');
      expectProblem(refused, 429, 'rate_limited');
      expect(remainingRequests(refused)).toBe(0);
      const retryAfter = Number(refused.headers.get('Retry-After'));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(60);
      expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${retryAfter}`);
    }
    expect(remainingRequests(await other.at(second).get('/api/v1/maps'))).toBe(5);
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

  test('[LIMIT-18] a clock that was ahead makes nobody wait longer than a window', async () => {
    let aheadMs = 0;
    const server = await open({ requests: 3, secs: 60 }, () => Date.now() + aheadMs);
    const api = await newApi(server);
    aheadMs = 2 * 60 * 60_000;
    for (let count = 0; count < 2; count++) await api.get('/api/v1/maps');
    aheadMs = 0;
    const counted = await api.get('/api/v1/maps');
    expect([counted.status, remainingRequests(counted)]).toEqual([200, 0]);
    expect(Number(/t=(\d+)/.exec(counted.headers.get('RateLimit') ?? '')?.[1])).toBeLessThanOrEqual(60);
    const over = await api.get('/api/v1/maps');
    expectProblem(over, 429, 'rate_limited');
    expect(Number(over.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
  });

  test('[LIMIT-18] also whom it kept out is let in after a window', async () => {
    let aheadMs = 0;
    const server = await open({ requests: 3, secs: 60 }, () => Date.now() + aheadMs);
    const api = await newApi(server);
    aheadMs = 2 * 60 * 60_000;
    for (let count = 0; count < 5; count++) await api.get('/api/v1/maps');
    aheadMs = 0;
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
