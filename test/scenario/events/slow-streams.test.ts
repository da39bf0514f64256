/** Event streams with a slow reader, over a real socket. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { parseToken } from '../../../server/auth/token.ts';
import { EventPublisher } from '../../../server/sync/event-publisher.ts';
import { openEventReader } from '../../contract/event-reader.ts';
import { newApi, temporaryFolder } from '../../contract/fixture.ts';
import { protocol } from '../../contract/sync-client.ts';

/** More than the sockets of both ends hold: Linux lets them grow to 4 MiB and, on some machines, 32 MiB. */
const fillingComment = `: ${'x'.repeat(64_000_000)}\n\n`;

/** Adds a chunk to the text of a stream, without the long comment that filled its socket. */
const withChunk = (received: string, chunk: string): string => received + chunk.replace(/x{2,}/g, '');

/** A response whose reader reads nothing until it is resumed. */
async function openSlowReader(): Promise<{ response: ServerResponse; reader: IncomingMessage }> {
  const server = createServer({ highWaterMark: 256 });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const requested = once(server, 'request');
  const { port } = server.address() as AddressInfo;
  const answered = once(get({ port, host: '127.0.0.1', highWaterMark: 256 } as object), 'response');
  const [, response] = await requested;
  response.flushHeaders();
  const [reader] = await answered;
  reader.pause();
  return { response, reader };
}

async function openFeed(heartbeatIntervalMs?: number) {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  const events = new EventPublisher(server.store, heartbeatIntervalMs === undefined ? {} : { heartbeatIntervalMs });
  onTestFinished(async () => {
    events.close();
    await server.close();
    remove();
  });
  const api = await newApi(server);
  return { events, api, reader: { ...parseToken(api.key)!, deviceId: null }, store: server.store };
}

test('[EVENTS-4] a reader that falls behind gets the newest cursor alone once it reads on', async () => {
  const { events, api, reader: token, store } = await openFeed();
  const { response, reader } = await openSlowReader();
  // Fills the socket before the stream begins, so that every write must wait.
  response.writeHead = () => response;
  response.write(fillingComment);
  expect(response.writableNeedDrain).toBe(true);
  await events.open(token, response);
  let newest = 0;
  for (let count = 0; count < 5; count++) newest = (await api.createMap()).version;
  expect((await store.account(api.accountId))!.version).toBe(newest);
  reader.setEncoding('utf8').resume();
  let received = '';
  for await (const chunk of reader) {
    received = withChunk(received, chunk);
    if (received.includes('event: cursor') && received.endsWith('\n\n')) break;
  }
  const told = [...received.matchAll(/"cursor":"(.+?)"/g)].map(([, cursor]) => cursor);
  expect(told).toEqual([Buffer.from(String(newest)).toString('base64url')]);
});

test('[EVENTS-5] [EVENTS-12] a quiet stream says that it is still here, and a reader that is gone is let go', async () => {
  const { events, reader: token } = await openFeed(20);
  const { response, reader } = await openSlowReader();
  await events.open(token, Object.assign(response, { writeHead: () => response }));
  reader.setEncoding('utf8').resume();
  let received = '';
  for await (const chunk of reader) {
    received += chunk;
    if (received.includes(': still here')) break;
  }
  const gone = await openSlowReader();
  gone.response.write(fillingComment);
  const closed = once(gone.response, 'close');
  await events.open(token, Object.assign(gone.response, { writeHead: () => gone.response }));
  await closed;
  expect(gone.response.destroyed).toBe(true);
});

test('[EVENTS-6] [EVENTS-13] a look that fails is tried again, and no stream tells an older cursor than it told', async () => {
  const { api, reader: token, store } = await openFeed();
  const bugs: unknown[] = [];
  const current = await store.account(api.accountId);
  const looks: (() => Promise<typeof current>)[] = [
    async () => ({ ...current!, version: 7 }),
    () => Promise.reject(new Error('a bug')),
    async () => ({ ...current!, version: 3 }),
    async () => ({ ...current!, version: 9 }),
  ];
  const account: typeof store.account = () => (looks.length > 1 ? looks.shift()! : looks[0]!)();
  const events = new EventPublisher({ ...store, account }, { pollIntervalMs: 1, onBug: (bug) => void bugs.push(bug) });
  onTestFinished(() => events.close());
  const { response, reader } = await openSlowReader();
  await events.open(token, Object.assign(response, { writeHead: () => response }));
  const newest = Buffer.from('9').toString('base64url');
  reader.setEncoding('utf8').resume();
  let received = '';
  for await (const chunk of reader) {
    received += chunk;
    if (received.includes(`"${newest}"`)) break;
  }
  const told = [...received.matchAll(/"cursor":"(.+?)"/g)].map(([, cursor]) => cursor);
  expect(told).toEqual([Buffer.from('7').toString('base64url'), newest]);
  expect(bugs).toEqual([new Error('a bug')]);
});

test('[EVENTS-8] [EVENTS-14] [EVENTS-15] an account has so many streams and no more, takes none from others, and a place that is left is free', async () => {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', eventStreamsMax: 3 });
  onTestFinished(() => server.close().finally(remove));
  const [api, other] = [await newApi(server), await newApi(server)];
  const leaving = new AbortController();
  const open = (signal?: AbortSignal) =>
    fetch(`${api.url}/api/v1/sync/events`, {
      headers: { Authorization: `Bearer ${api.key}`, ...protocol },
      ...(signal ? { signal } : {}),
    });
  const [, ...others] = [await open(leaving.signal), ...(await Promise.all(Array.from({ length: 9 }, () => open())))];
  const refused = others.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(7);
  const [one] = refused;
  expect([one!.status, await one!.json()]).toMatchObject([429, { code: 'too_many_streams', limit: 3 }]);
  expect(Number(one!.headers.get('Retry-After'))).toBeGreaterThan(0);
  await (await openEventReader(other)).next();
  leaving.abort();
  let again = await open();
  for (; again.status === 429; again = await open()) await again.text();
  expect(again.status).toBe(200);
});
