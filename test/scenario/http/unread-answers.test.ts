/** Clients that ask for much and read nothing. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openServer, type RunningServer, type ServerOptions } from '../../../server/app.ts';
import { responseMemoryLimits } from '../../../server/http/limits/memory-budget.ts';
import { sendBody } from '../../../server/http/body/send-body.ts';
import { watchStalledReaders } from '../../../server/http/limits/stalled-readers.ts';
import { expectProblem, newApi, steps, temporaryFolder, type Api } from '../../contract/fixture.ts';
import { openRawClient, requestHead, type RawClient } from '../../contract/raw-client.ts';
import { deliver, relayKeys, sealTo } from '../../contract/sealed-client.ts';
import { protocol } from '../../contract/sync-client.ts';
import { sealedRequestMediaType } from '../../../shared/relay/media-types.ts';

async function open(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', ...options });
  onTestFinished(() => server.close().finally(remove));
  return server;
}

/** Makes a run whose answer has about 900 kB. */
async function createLargeRun(api: Api): Promise<string> {
  const notes = 'x'.repeat(9_000);
  const large = steps(...Array.from({ length: 100 }, (_, index) => `Step ${index}`)).map((step) => ({
    ...step,
    notes,
  }));
  const { id } = await api.createMap();
  const { run } = await api.record(id, { steps: large });
  return `/api/v1/runs/${run.id}`;
}

/** A connection that requests a path many times and reads nothing. */
async function openStalledClient(
  server: RunningServer,
  path: string,
  given: { key: string; count: number },
): Promise<RawClient> {
  const client = await openRawClient(server.port);
  client.socket.pause();
  client.socket.write(requestHead('GET', path, { Authorization: `Bearer ${given.key}` }).repeat(given.count));
  return client;
}

/** Resolves once the answers fill the buffers of the connection and the server makes no more. */
async function untilServerStops(api: Api, made: () => number): Promise<void> {
  for (let before = -1; made() !== before || before === 0;) {
    before = made();
    for (let count = 0; count < 10; count++) await api.get('/api/v1/maps');
  }
}

/** Counts how often the server reads a run for an answer. */
function countRunReads({ services: { store } }: RunningServer): () => number {
  const { run } = store;
  let count = 0;
  store.run = (...given) => {
    count++;
    return run(...given);
  };
  return () => count;
}

test('[LIMIT-15] [LIMIT-37] requests that are sent ahead are answered in turn, and a connection with too many of them is closed', async () => {
  const server = await open();
  const polite = await openRawClient(server.port, requestHead('GET', '/healthz').repeat(20));
  await expect.poll(() => polite.answer().match(/HTTP\/1.1 200 /g)?.length).toBe(20);
  expect(polite.socket.destroyed).toBe(false);

  const greedy = await openRawClient(server.port, requestHead('GET', '/api/v1/openapi.json').repeat(300));
  if (!greedy.socket.destroyed) await once(greedy.socket, 'close');
  expect(greedy.answer().match(/HTTP\/1.1 200 /g)?.length ?? 0).toBeLessThan(40);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test('[LIMIT-15] no second answer is made while the first is not taken', async () => {
  const server = await open();
  const api = await newApi(server);
  const path = await createLargeRun(api);
  const made = countRunReads(server);
  await openStalledClient(server, path, { key: api.key, count: 30 });
  await untilServerStops(api, made);
  expect(made()).toBeGreaterThan(0);
  expect(made()).toBeLessThan(20);
});

test('[OPS-10] a reader that takes nothing of its answer is let go, one that is slow is not', async () => {
  const body = Buffer.alloc(16 * 1024 * 1024, 'x');
  const server = createServer((_req, res) => sendBody(res, body));
  watchStalledReaders(server, { stalledMsMax: 3_000, drainingStalledMsMax: 3_000 }, 'connection');
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async () => {
    const connected = once(server, 'connection');
    const client = await openRawClient(port);
    client.socket.pause();
    client.socket.write(requestHead('GET', '/'));
    const [socket] = (await connected) as [Socket];
    return { client, ended: once(socket, 'close').then(() => 'ended') };
  };
  const { ended } = await ask();
  const slow = await ask();
  const sip = setInterval(() => {
    slow.client.socket.resume();
    setImmediate(() => slow.client.socket.pause());
  }, 10);
  onTestFinished(() => clearInterval(sip));
  expect(await Promise.race([ended, slow.ended.then(() => 'the slow one ended')])).toBe('ended');
  const taken = () => slow.client.answer().length;
  await expect.poll(taken).toBeGreaterThan(body.length);
});

test('[OPS-10] [OPS-20] a reader that takes nothing does not hold up a drain', async () => {
  const server = await open({ timeouts: { drainingStalledMsMax: 200 } });
  const api = await newApi(server);
  const path = await createLargeRun(api);
  const made = countRunReads(server);
  await openStalledClient(server, path, { key: api.key, count: 30 });
  await untilServerStops(api, made);
  // The timer that ends a drain never fires, so `close` must end the stalled connections itself.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await expect(server.close()).resolves.toBeUndefined();
});

test('[LIMIT-16] [LIMIT-38] answers that are not taken hold no more memory than they may, and give it back', async () => {
  const responseMemory = { ...responseMemoryLimits, bytesPerTokenMax: 1_500_000, bytesMax: 4_000_000 };
  const server = await open({ responseMemory });
  const api = await newApi(server);
  const path = await createLargeRun(api);
  // The client may receive the end of an answer before the server frees its memory.
  const answered = async () => {
    await expect.poll(async () => (await api.get(path)).status).toBe(200);
  };
  for (let count = 0; count < 4; count++) await answered();

  // A client leaves before its answer is made.
  const { store } = server.services;
  const { run } = store;
  let made = () => {};
  const making = new Promise<void>((resolve) => void (made = resolve));
  const asked = new Promise<void>((resolve) => {
    store.run = async (...given) => {
      resolve();
      await making;
      return run(...given);
    };
  });
  const leaving = await openRawClient(server.port, requestHead('GET', path, { Authorization: `Bearer ${api.key}` }));
  await asked;
  leaving.socket.destroy();
  store.run = run;
  for (let count = 0; count < 5; count++) await api.get('/api/v1/maps');
  made();
  for (let count = 0; count < 4; count++) await answered();

  const small = await open({ responseMemory: { ...responseMemoryLimits, bytesPerTokenMax: 1_500_000 } });
  const other = await newApi(small);
  await createLargeRun(other);
  await createLargeRun(other);
  const refused = await other.get('/api/v1/sync/pull', protocol);
  expectProblem(refused, 429, 'rate_limited');
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await other.get('/api/v1/maps')).status).toBe(200);
});

test('[LIMIT-16] sealed answers that are not taken count for who carries them', async () => {
  const server = await open({ responseMemory: { ...responseMemoryLimits, bytesPerTokenMax: 1_500_000 } });
  const [owner, carrier] = [await newApi(server), await newApi(server)];
  await createLargeRun(owner);
  const inner = { method: 'GET', path: '/api/v1/sync/pull', token: owner.key };
  const { sealed } = await sealTo(await relayKeys(server.url), inner);
  const { store } = server.services;
  const { changes } = store;
  let pulls = 0;
  store.changes = (accountId, query) => {
    if (accountId === owner.accountId) pulls++;
    return changes(accountId, query);
  };
  const client = await openRawClient(server.port);
  client.socket.pause();
  const headers = {
    Authorization: `Bearer ${carrier.key}`,
    'Content-Type': sealedRequestMediaType,
    'Content-Length': String(sealed.length),
  };
  const request = Buffer.concat([Buffer.from(requestHead('POST', '/api/v1/relay', headers)), sealed]);
  for (let sent = 0; sent < 30; sent++) client.socket.write(request);
  const other = await newApi(server);
  const small = (await sealTo(await relayKeys(server.url), { ...inner, token: other.key })).sealed;
  for (let before = -1; pulls !== before || before === 0;) {
    before = pulls;
    for (let count = 0; count < 10; count++) await (await deliver(other, small)).arrayBuffer();
  }
  expect((await deliver(carrier, sealed)).status).toBe(429);
  expect((await deliver(await newApi(server), sealed)).status).toBe(200);
});
