/** Endpoints that are slow, fail, lie or lead elsewhere hurt no other one. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newApi, openServers, temporaryFolder, type Api } from '../../contract/fixture.ts';
import { Endpoint } from '../../endpoint.ts';
import { startNameServer } from './name-server.ts';

const path = '/api/v1/webhooks';

async function setUp() {
  const { dataDir, remove } = temporaryFolder();
  const servers = await openServers({ dataDir });
  onTestFinished(() => servers.close().finally(remove));
  return servers;
}

async function openEndpoint(): Promise<Endpoint> {
  const endpoint = await Endpoint.open();
  onTestFinished(() => endpoint.close());
  return endpoint;
}

async function createWebhook(api: Api, url: string): Promise<string> {
  const created = await api.post(path, { url });
  expect(created.status).toBe(201);
  return created.body.webhook.id;
}

const lastDurationMs = async (api: Api, id: string): Promise<number | undefined> =>
  (await api.get(`${path}/${id}/deliveries?limit=1`)).body.data[0]?.duration_ms;

/** Answers the bytes, whatever was sent, and ends the connection. */
async function openRaw(answer: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('[HOOK-12] endpoints that hang delay no event of another endpoint, of the same account or another', async () => {
  const { first, second } = await setUp();
  const [slow, good] = [await openEndpoint(), await openEndpoint()];
  slow.answer = () => {};
  const victim = await newApi(first);
  await createWebhook(victim, good.url);
  for (const account of [victim, await newApi(first), await newApi(second)]) {
    for (let hooks = 0; hooks < 15; hooks++) await createWebhook(account, slow.url);
    await account.createMap();
  }
  await expect.poll(() => slow.posted.length).toBe(45);
  for (let maps = 0; maps < 20; maps++) await victim.createMap();
  // None of the slow ones has answered when the good one has all.
  await expect.poll(() => good.posted.length).toBe(21);
  expect(slow.posted).toHaveLength(45);
});

test('[HOOK-3] [HOOK-12] [HOOK-20] what endpoints answer amiss is told in their deliveries, and the good one gets every event', async () => {
  const { first, second } = await setUp();
  const api = await newApi(first);
  const good = await openEndpoint();
  const inner = await openEndpoint();
  const redirecting = await openEndpoint();
  redirecting.answerWith(307, '', { Location: inner.url });
  const bad = {
    cut: await openRaw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'),
    long: await openRaw('HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nmuch longer'),
    chunks: await openRaw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
    noise: await openRaw('what is this\r\n\r\n'),
    nothing: await openRaw(''),
    headers: await openRaw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
    redirect: redirecting.url,
    closed: 'http://127.0.0.1:9/',
  };
  const ids: Record<string, string> = {};
  for (const [name, url] of Object.entries(bad)) ids[name] = await createWebhook(api, url);
  await createWebhook(api, good.url);
  for (let maps = 0; maps < 5; maps++) await api.createMap();
  await expect.poll(() => good.posted.length).toBe(5);
  const told: Record<string, unknown> = {};
  for (const [name, id] of Object.entries(ids)) {
    await expect.poll(() => lastDurationMs(api, id)).toBeDefined();
    const { body } = await api.get(`${path}/${id}/deliveries`);
    expect(body.data).toHaveLength(1);
    told[name] = [body.data[0].outcome, body.data[0].status];
    expect(body.data[0].status ?? body.data[0].error).toBeTruthy();
    expect((await api.get(`${path}/${id}`)).body.status).toBe('failing');
  }
  expect(told).toEqual({
    cut: ['failed', null],
    long: ['failed', null],
    chunks: ['failed', null],
    noise: ['failed', null],
    nothing: ['failed', null],
    headers: ['failed', null],
    redirect: ['failed', 307],
    closed: ['failed', null],
  });
  expect(inner.posted).toEqual([]);
  // The two processes share the buckets, and the account is in one of them.
  const endpoints = async (state: string) => {
    const metrics = await Promise.all([first, second].map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    const counts = metrics.map((text) => new RegExp(`gemba_webhook_endpoints\\{state="${state}"\\} (\\d+)`).exec(text));
    return counts.reduce((sum, found) => sum + Number(found?.[1] ?? 0), 0);
  };
  await expect.poll(() => endpoints('failing')).toBe(8);
  expect(await endpoints('active')).toBe(1);
});

test('[HOOK-9] a name that leads to a closed address is refused each time it does, however it changes', async () => {
  const { first } = await setUp();
  const api = await newApi(first);
  const endpoint = await openEndpoint();
  const names = await startNameServer((name, queries) => {
    if (name === 'both.example') return ['127.0.0.1', '169.254.169.254'];
    if (name === 'flips.example') return queries % 2 === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
    return [];
  });
  onTestFinished(() => names.stop());
  const webhookAt = (name: string) => createWebhook(api, `http://${name}:${endpoint.port}/`);
  const [flips, both, unknown] = [
    await webhookAt('flips.example'),
    await webhookAt('both.example'),
    await webhookAt('none.example'),
  ];
  const tryIt = async (id: string) => (await api.post(`${path}/${id}/test`, {})).body;
  expect(await tryIt(flips)).toMatchObject({ delivered: true, status: 204 });
  expect(await tryIt(flips)).toMatchObject({
    delivered: false,
    status: null,
    error: 'flips.example resolves to an address that is not public',
  });
  expect(await tryIt(flips)).toMatchObject({ delivered: true });
  expect((await tryIt(both)).error).toBe('both.example resolves to an address that is not public');
  expect((await tryIt(unknown)).delivered).toBe(false);
  expect(endpoint.posted.map(({ headers }) => headers.host)).toEqual([
    `flips.example:${endpoint.port}`,
    `flips.example:${endpoint.port}`,
  ]);
});
