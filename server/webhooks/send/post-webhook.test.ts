/** Deliveries to real servers on loopback. */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { postWebhook } from './post-webhook.ts';
import { parseAllowedTargets } from './target.ts';

const loopback = parseAllowedTargets('127.0.0.0/8,::1/128,http')!;

async function endpoint(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const post = (url: string, allowed = loopback, options: { msMax?: number; signal?: AbortSignal } = {}) =>
  postWebhook({
    signal: new AbortController().signal,
    ...options,
    url,
    headers: { 'webhook-id': 'evt_1' },
    body: '{"ä":1}',
    allowed,
  });

test('[HOOK-3] a delivery has its headers and body, and its answer is cut to 500 characters', async () => {
  const seen: unknown[] = [];
  const port = await endpoint((request, response) => {
    request.setEncoding('utf8').on('data', (chunk) => seen.push(request.method, request.headers['webhook-id'], chunk));
    request.on('end', () => response.writeHead(202).end('y'.repeat(50_000)));
  });
  const answer = await post(`http://127.0.0.1:${port}/hook`);
  expect(seen).toEqual(['POST', 'evt_1', '{"ä":1}']);
  expect(answer).toMatchObject({ status: 202, body: 'y'.repeat(500) });
});

test('[HOOK-3] a redirect is an answer, and is not followed', async () => {
  let asked = 0;
  const inner = await endpoint((_, response) => void response.end(String((asked += 1))));
  const port = await endpoint((_, response) => {
    response.writeHead(307, { Location: `http://127.0.0.1:${inner}/`, 'Retry-After': '7' }).end();
  });
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 307, retryAfterMs: 7_000 });
  expect(asked).toBe(0);
});

test('[HOOK-9] a name that resolves to a closed address is not connected to', async () => {
  let asked = 0;
  const port = await endpoint((_, response) => void response.end(String((asked += 1))));
  const answer = await post(`http://localhost:${port}/`, parseAllowedTargets('10.0.0.0/8,http')!);
  expect(answer).toMatchObject({ status: null, error: 'localhost resolves to an address that is not public' });
  expect(await post(`http://127.0.0.1:${port}/`, parseAllowedTargets('http')!)).toMatchObject({ status: null });
  expect(asked).toBe(0);
});

test.each([
  ['closes the connection', (_: unknown, response: { destroy(): void }) => response.destroy()],
  [
    'lies about its length',
    (
      _: unknown,
      response: {
        writeHead(status: number, headers: object): void;
        write(text: string, done: () => void): void;
        destroy(): void;
      },
    ) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('short', () => response.destroy());
    },
  ],
])('[HOOK-3] an endpoint that %s gives no answer', async (_, answer) => {
  const port = await endpoint(answer as RequestListener);
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
    status: null,
    error: expect.stringMatching(/aborted|hang up|reset/),
  });
});

test('[HOOK-3] an endpoint that drips, or asks for another protocol, ends with the time limit or before', async () => {
  const dripping = await endpoint((_, response) => {
    const timer = setInterval(() => response.write('.'), 5);
    response.on('close', () => clearInterval(timer));
  });
  const dripped = await post(`http://127.0.0.1:${dripping}/`, loopback, { msMax: 60 });
  expect(dripped).toMatchObject({ status: null, body: null, error: 'No answer within 0.06 s' });
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write('HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const upgrading = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(upgrading).toMatchObject({ status: null, error: 'The endpoint wants another protocol' });
});

test('[HOOK-10] a delivery that begins while the process stops ends at once', async () => {
  const hanging = await endpoint(() => {});
  const stopped = await post(`http://127.0.0.1:${hanging}/`, loopback, { signal: AbortSignal.abort() });
  expect(stopped).toMatchObject({ status: null, error: 'The server stops' });
});
