/** A reader that reads nothing during tens of thousands of changes. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Poke, Store } from '../../../server/store/store.ts';
import { EventPublisher } from '../../../server/sync/event-publisher.ts';

/** These bytes fill the buffers of the socket, so that the stream stalls from the start. */
const bufferedBytes = 8_000_000;
const changeCount = 20_000;
const tailLength = 1_000;

test('[PG-21] [PG-22] a reader that takes nothing makes nothing grow, and reads the newest cursor in the end', async () => {
  const accountId = 'account';
  let poke: (poke: Poke) => void = () => {};
  const onCommit: Store['onCommit'] = (listener) => {
    poke = listener;
    return () => {};
  };
  const store = { onCommit, account: async () => undefined } as unknown as Store;
  const events = new EventPublisher(store, {});
  const { response, reader } = await openPausedReader();
  await events.open({ accountId, tokenHash: '', deviceId: null }, response);

  let version = 0;
  // Each change has a turn of its own, like commits that arrive apart.
  const change = async () => {
    poke({ accountId, version: ++version });
    await nextTurn();
  };
  response.write(`: ${'x'.repeat(bufferedBytes)}\n\n`);
  expect(response.writableNeedDrain).toBe(true);
  // The socket may take the first event before it is full.
  await change();
  const held = response.writableLength;
  for (let left = changeCount; left > 0; left--) await change();
  expect(response.writableLength).toBeLessThanOrEqual(held);

  const newest = Buffer.from(String(version)).toString('base64url');
  let tail = '';
  reader.setEncoding('utf8');
  for await (const chunk of reader) {
    tail = (tail + chunk).slice(-tailLength);
    if (tail.includes(`"cursor":"${newest}"`)) break;
  }
  expect(tail).toContain(newest);
  events.close();
});

async function openPausedReader(): Promise<{ response: ServerResponse; reader: IncomingMessage }> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const requested = once(server, 'request');
  const answered = once(get({ port, host: '127.0.0.1' }), 'response');
  const [, response] = (await requested) as [IncomingMessage, ServerResponse];
  response.flushHeaders();
  // The feed must not send the head a second time.
  response.writeHead = () => response;
  const [reader] = (await answered) as [IncomingMessage];
  return { response, reader: reader.pause() };
}
