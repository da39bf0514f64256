/** Connections that a carrier at a site did not ask for keep it from nothing. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { serverNameOf } from '../../../../shared/relay/frames.ts';
import { FramesDevice } from '../channels.ts';
import { connect, startCarrier } from './carrier-process.ts';

const to = 'http://127.0.0.1:9';

async function newCarrier() {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-carrier-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const carrier = await startCarrier({ to, token: `gk_${randomUUID()}`, folder });
  onTestFinished(() => carrier.kill());
  return carrier;
}

/** Opens a connection that never closes its own side. */
async function openTcp(port: number, text = ''): Promise<Socket> {
  const socket = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

const upgrade = [
  'GET /carry HTTP/1.1',
  'Host: a',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${'A'.repeat(22)}==`,
  '\r\n',
].join('\r\n');

test('[RELAY-111] a carrier whose places are taken ends one more socket at once, though it answers nothing', async () => {
  const carrier = await newCarrier();
  for (let count = 0; count < 64; count++) {
    const device = new FramesDevice(await connect(carrier.port));
    await device.next();
    const server = await serverNameOf(to);
    await device.send({ type: 'hello', v: 1, role: 'device', server, online: false, free_bytes: 0 });
  }
  const refused = await openTcp(carrier.port, upgrade);
  refused.resume();
  const startedAt = performance.now();
  await once(refused, 'end');
  // The library alone would wait for 30 s.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

test('[RELAY-111] a message in more than 64 fragments ends its socket', async () => {
  const carrier = await newCarrier();
  const socket = new WebSocket(`ws://127.0.0.1:${carrier.port}/carry`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  for (let count = 0; count < 65; count++) socket.send('x', { fin: false, binary: true });
  expect(((await once(socket, 'close')) as [number])[0]).toBe(1008);
});

test.each([
  ['nothing', ''],
  ['half a request', 'GET /healthz HTTP/1.1\r\nHost:'],
  ['an upgrade', upgrade],
])('[RELAY-112] a carrier ends at SIGTERM while a connection is open that has sent %s', async (_what, text) => {
  const carrier = await newCarrier();
  await openTcp(carrier.port, text);
  expect(await carrier.end()).toBe(0);
});
