import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { randomOf } from '../random.ts';
import { openLossyProxy } from './lossy-proxy.ts';

async function openEcho(): Promise<string> {
  const server = createServer((req, res) => void req.pipe(res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('[SOAK-6] the proxy passes everything in order, and breaks connections while it is lossy', async () => {
  const proxy = await openLossyProxy(await openEcho(), randomOf(1));
  onTestFinished(() => proxy.close());
  const body = Array.from({ length: 50_000 }, (_, index) => index).join(' ');
  const echo = async () => (await fetch(proxy.url, { method: 'POST', body })).text();

  expect(await echo()).toBe(body);
  expect(proxy.broken).toBe(0);

  proxy.isLossy = true;
  for (let tries = 0; proxy.broken === 0 && tries < 200; tries++) await echo().catch(() => undefined);
  expect(proxy.broken).toBe(1);

  proxy.isLossy = false;
  await expect.poll(() => echo().catch(() => '')).toBe(body);
  proxy.isDown = true;
  await expect(echo()).rejects.toThrow(TypeError);
});
