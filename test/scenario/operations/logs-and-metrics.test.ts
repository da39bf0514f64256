/** Logs, metrics and headers that operators see. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openServer, type ServerOptions } from '../../../server/app.ts';
import { openLog } from '../../../server/observe/log.ts';
import { Api, expectProblem, newApi, steps, temporaryFolder } from '../../contract/fixture.ts';
import { protocol } from '../../contract/sync-client.ts';

async function openObserved(options: Partial<ServerOptions> = {}) {
  const { dataDir, remove } = temporaryFolder();
  const lines: string[] = [];
  const log = openLog('trace', { write: (line) => void lines.push(line) });
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', log, ...options });
  onTestFinished(() => server.close().finally(remove));
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  /** The log line of a request is written after its response is sent. */
  const lineOf = async (requestId: string) => {
    const find = () => logged().find((line) => line['request_id'] === requestId && line['msg'] === 'request');
    await expect.poll(find).toBeDefined();
    return find()!;
  };
  return { server, text: () => lines.join(''), logged, lineOf };
}

async function readMetrics(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  expect([response.status, response.headers.get('Content-Type')]).toEqual([
    200,
    expect.stringContaining('text/plain; version=0.0.4'),
  ]);
  return response.text();
}

test('[OPS-2] each request has one line in the log, with its id, route, status, duration and account', async () => {
  const { server, lineOf, logged } = await openObserved();
  const api = await newApi(server);
  const map = await api.createMap();
  const id = { 'X-Request-Id': 'read-1' };
  const read = await api.get(`/api/v1/maps/${map.id}/runs?limit=7`, id);
  expect(read.status).toBe(200);
  expect(await lineOf('read-1')).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    request_id: 'read-1',
    method: 'GET',
    route: '/api/v1/maps/:id/runs',
    status: 200,
    duration_ms: expect.any(Number),
    bytes: expect.any(Number),
    account_id: api.accountId,
    msg: 'request',
  });
  expect((await lineOf('read-1'))['bytes']).toBeGreaterThan(JSON.stringify(read.body).length);
  await api.get('/nowhere?token=secret', { 'X-Request-Id': 'lost-1' });
  expect(await lineOf('lost-1')).toMatchObject({ route: 'none', status: 404 });
  expect(logged().filter((line) => line['request_id'] === 'read-1')).toHaveLength(1);
});

test('[OPS-3] no token, key, code or cursor that a request carries is in the log, whatever comes of it', async () => {
  const adminToken = `operator-${randomUUID()}`;
  const { server, text, lineOf } = await openObserved({ adminToken, rateLimit: { requests: 30, secs: 60 } });
  const operator = new Api({ url: server.url, key: adminToken, accountId: '' });
  const created = await operator.post('/api/v1/admin/accounts', { name: 'Logged', plan: 'team' });
  const key: string = created.body.api_key;
  const api = new Api({ url: server.url, key, accountId: created.body.account.id });
  const { body: pairing } = await api.post('/api/v1/auth/pairing-code', {});
  const pair = { code: pairing.code, device_id: randomUUID(), device_name: 'Watch', device_kind: 'wearable' };
  const { body: paired } = await api.post('/api/v1/auth/pair', pair, { Authorization: '' });
  const watch = new Api({ ...api, url: server.url, key: paired.token });
  await api.createMap();
  await api.createMap();
  const { body: list } = await api.get('/api/v1/maps?limit=1');
  await api.get(`/api/v1/maps?limit=1&cursor=${list.next_cursor}`);
  await watch.post(
    '/api/v1/recording/new',
    { name: 'Named', steps: steps('Cut') },
    { 'Idempotency-Key': 'session-key-1' },
  );
  const guess = `gk_${'A'.repeat(63)}z`;
  await new Api({ ...api, url: server.url, key: guess }).get('/api/v1/maps');
  await api.get(`/api/v1/maps/${key}`);
  await api.get(`/${key}`);
  await api.post('/api/v1/maps', { name: key, wrong: key });
  await api.send('POST', '/api/v1/maps', { raw: `{"${key}`, headers: { 'Content-Type': 'application/json' } });
  while ((await api.get('/api/v1/maps', { 'X-Request-Id': 'last' })).status !== 429);
  await lineOf('last');
  const secrets = { adminToken, key, code: pairing.code, token: paired.token, cursor: list.next_cursor, guess };
  for (const [name, secret] of Object.entries({ ...secrets, session: 'session-key-1' })) {
    expect(secret, name).toMatch(/.{8}/);
    expect(text(), name).not.toContain(secret);
  }
  expect(text()).not.toMatch(/bearer/i);
});

test('[OPS-4] a bug and an outage are in the log with their reason, and only there', async () => {
  const { server, logged } = await openObserved();
  const api = await newApi(server);
  server.services.store.run = () => Promise.reject(new Error('a bug of ours'));
  const answer = await api.get('/api/v1/runs/1', { 'X-Request-Id': 'bug-1' });
  expectProblem(answer, 500, 'internal_error');
  expect(JSON.stringify(answer.body)).not.toContain('a bug of ours');
  expect(logged().find((line) => line['msg'] === 'a request failed')).toMatchObject({
    level: 50,
    request_id: 'bug-1',
    error: { name: 'Error', message: 'a bug of ours', stack: expect.stringContaining('.ts') },
  });
});

test('[OPS-5] [OPS-14] [OPS-21] metrics count requests by route, mutations by outcome, transactions, streams and their lag', async () => {
  const { server, lineOf } = await openObserved({ rateLimit: { requests: 8, secs: 60 } });
  const api = await newApi(server, 'free');
  const stream = await fetch(`${server.url}/api/v1/sync/events`, {
    headers: { Authorization: `Bearer ${api.key}`, ...protocol },
  });
  const reader = stream.body!.getReader();
  await reader.read();
  await api.createMap();
  await api.createMap();
  expect((await api.post('/api/v1/maps', { name: 'One too many' })).status).toBe(403);
  const push = {
    client_id: randomUUID(),
    acked_seq: 0,
    mutations: [
      { seq: 1, name: 'delete_map', args: { map_id: randomUUID() }, recorded_at: new Date().toISOString() },
      { seq: 2, name: 'no_such', args: {}, recorded_at: new Date().toISOString() },
      { seq: 3, name: 'noop', args: {}, recorded_at: new Date().toISOString() },
    ],
  };
  expect((await api.post('/api/v1/sync/push', push, protocol)).status).toBe(200);
  await reader.read();
  while ((await api.get('/nowhere', { 'X-Request-Id': 'last' })).status !== 429);
  await lineOf('last');
  const text = await readMetrics(server.url);
  const values = Object.fromEntries(
    text.split('\n').flatMap((line) => (line.startsWith('gemba') ? [line.split(/ (?=\S+$)/) as [string, string]] : [])),
  );
  expect(values).toMatchObject({
    'gemba_http_request_duration_seconds_count{route="/api/v1/maps",method="POST",status="201"}': '2',
    'gemba_http_request_duration_seconds_count{route="/api/v1/maps",method="POST",status="403"}': '1',
    'gemba_mutations_total{name="create_map",code="applied"}': '2',
    'gemba_mutations_total{name="create_map",code="map_cap_reached"}': '1',
    'gemba_mutations_total{name="delete_map",code="map_not_found"}': '1',
    'gemba_mutations_total{name="unknown",code="validation_failed"}': '1',
    'gemba_mutations_total{name="noop",code="withdrawn"}': '1',
    gemba_rate_limited_requests_total: '1',
    gemba_account_queue_length: '0',
    gemba_account_queue_wait_seconds_count: '4',
    gemba_transaction_duration_seconds_count: '4',
    gemba_event_streams: '1',
  });
  expect(Number(values['gemba_event_lag_seconds_count'])).toBeGreaterThan(0);
  expect(text).toMatch(/^process_cpu_seconds_total /m);
  expect(text).not.toContain(api.accountId);
  await reader.cancel();
});

test('[OPS-6] [OPS-15] browsers are told to run nothing of others, and nobody what the server is made with', async () => {
  const { server } = await openObserved();
  const api = await newApi(server);
  const authorized = { headers: { Authorization: `Bearer ${api.key}` } };
  for (const path of ['/api/v1/maps', '/nowhere', '/healthz', '/docs']) {
    const { headers } = await fetch(server.url + path, path.startsWith('/api/') ? {} : authorized);
    const policy = headers.get('Content-Security-Policy')!.split(/; ?/);
    // The renderer of the reference sets styles from its script; no other page may, and no page runs inline scripts.
    const style = path === '/docs' ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'";
    for (const directive of ["default-src 'none'", "script-src 'self'", style, "frame-ancestors 'none'"]) {
      expect(policy).toContain(directive);
    }
    const others = policy.filter((directive) => directive !== style).join(';');
    expect(others).not.toMatch(/unsafe|\*/);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Frame-Options')).toBe('DENY');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('X-Powered-By')).toBeNull();
  }
});

test('[SYNC-20] a body that comes slowly has its time while it comes on, up to a bound, and is let go once it stands still', async () => {
  const slow = { headersMsMax: 400, requestMsMax: 250, bytesPerSecMin: 4 };
  const { server } = await openObserved({ timeouts: slow });
  const api = await newApi(server);
  expect(await sendSlowly(server.port, api.key, { bytes: 90 })).toMatch(/^HTTP\/1.1 201 /);
  expect(await sendSlowly(server.port, api.key, { bytes: 200, stopAt: 60 })).toMatch(/^HTTP\/1.1 408 /);

  const { server: bounded } = await openObserved({ timeouts: { ...slow, slowRequestMsMax: 600 } });
  const { key } = await newApi(bounded);
  expect(await sendSlowly(bounded.port, key, { bytes: 10_000 })).toMatch(/^HTTP\/1.1 408 /);
});

test('[OPS-7] [OPS-18] whoever has an answer holds no connection by sending the rest of a refused request', async () => {
  const { server } = await openObserved({ timeouts: { headersMsMax: 400, requestMsMax: 250, bytesPerSecMin: 4 } });
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => void (answer += chunk));
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('POST /api/v1/maps HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
  const dripping = setInterval(() => socket.write(' '), 10);
  await once(socket, 'close');
  clearInterval(dripping);
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
});

/** Sends a map byte by byte until it is complete or answered; holds the connection open where it stops. */
async function sendSlowly(port: number, key: string, { bytes, stopAt = bytes }: { bytes: number; stopAt?: number }) {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => void (answer += chunk));
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = `POST /api/v1/maps HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${key}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`);
  const body = '{"name":"Saw"}'.padEnd(bytes);
  let sent = 0;
  const dripping = setInterval(() => {
    if (sent < stopAt && answer === '') socket.write(body[sent++]!);
  }, 10);
  await once(socket, 'close');
  clearInterval(dripping);
  return answer;
}

test('[OPS-7] a client that is slow with its headers or its body is let go with an answer', async () => {
  const { server } = await openObserved({ timeouts: { headersMsMax: 100, requestMsMax: 200 } });
  const { key } = await newApi(server);
  const slow = [
    'GET /healthz HTTP/1.1\r\nHost: a\r\n',
    `POST /api/v1/maps HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  ];
  for (const head of slow) {
    const socket = connect(server.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => void (answer += chunk));
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(head);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1.1 408 .*"code":"request_timeout"/s);
  }
  // A busy machine may exceed timeouts this short, so the check is repeated.
  const health = () =>
    fetch(`${server.url}/healthz`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(health).toBe(200);
});
