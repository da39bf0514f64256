import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { killAtOnce, linkExample, startProgram } from './copied-examples.ts';
import { startExampleServer, type ExampleServer } from './server-of-example.ts';

test('[LIB-12] the bridge keeps each run once, by events and by signed webhooks, also when it is killed before it keeps one', async () => {
  const folder = await linkExample('erp-bridge', join(import.meta.dirname, '../../node_modules'));
  const server = await startExampleServer({ GEMBA_WEBHOOK_ALLOW: '127.0.0.0/8,http' });
  const start = (settings: Record<string, string>) => {
    const environment = { GEMBA_URL: server.url, GEMBA_KEY: server.apiKey, ...settings };
    return startProgram({ folder, file: 'bridge.js', environment });
  };
  await record(server, 1);

  let bridge = start({ BRIDGE_POLL_SECS: '0.2' });
  await bridge.until(/copied the runs/);
  const database = new DatabaseSync(join(folder, 'bridge.db'));
  onTestFinished(() => database.close());
  database.exec('PRAGMA busy_timeout = 10000');
  const rows = () => database.prepare('SELECT number, total_secs, steps FROM runs ORDER BY run_id').all();
  expect(rows()).toEqual([rowOf(1)]);

  database.exec("CREATE TRIGGER refuse BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
  await record(server, 2);
  await bridge.until(/the disk is full/);
  await killAtOnce(bridge);
  database.exec('DROP TRIGGER refuse');
  expect(rows()).toEqual([rowOf(1)]);

  const port = await findFreePort();
  const hook = `http://127.0.0.1:${port}`;
  const endpoint = await server.request('/webhooks', { url: hook, types: ['recording.received'] });
  const { webhook, secret }: { webhook: { id: string }; secret: string } = JSON.parse(endpoint);
  bridge = start({ BRIDGE_POLL_SECS: '3600', GEMBA_WEBHOOK_SECRET: secret, PORT: String(port) });
  await expect.poll(rows).toEqual([rowOf(1), rowOf(2)]);
  await record(server, 3);
  await expect.poll(rows).toEqual([rowOf(1), rowOf(2), rowOf(3)]);
  const [, , event] = JSON.parse(await server.request('/events?types=recording.received&limit=3')).data;
  const again = await server.request(`/webhooks/${webhook.id}/deliveries/${event.id}/redeliver`, {});
  expect(again).toMatch(/204/);

  const body = JSON.stringify({ type: event.type, data: { ...event, id: 'evt_other' } });
  const nowSecs = Math.floor(Date.now() / 1000);
  const send = (timestamp: number, key: string) => post(hook, body, sign({ id: 'evt_other', timestamp, body, key }));
  expect(await send(nowSecs, `whsec_${Buffer.from('another').toString('base64')}`)).toBe(401);
  expect(await send(nowSecs - 301, secret)).toBe(401);
  expect(await post(hook, 'x'.repeat(5_000_000), {})).toBe(413);
  expect(await send(nowSecs, secret)).toBe(204);
  expect(rows()).toHaveLength(3);
  bridge.child.kill('SIGTERM');
  expect(await bridge.ended).toBe(0);
});

const rowOf = (number: number) => ({ number: expect.any(Number), total_secs: 10 * number, steps: 1 });

const record = (server: ExampleServer, number: number) =>
  server.request('/recording/new', {
    name: `Map ${number}`,
    recording_session_id: `session-${number}`,
    steps: [{ stage_name: 'Load', order: 1, duration_secs: 10 * number }],
  });

interface Message {
  id: string;
  timestamp: number;
  body: string;
  key: string;
}

function sign({ id, timestamp, body, key }: Message): Record<string, string> {
  const hmac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'));
  const signature = `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
}

const post = async (url: string, body: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(url, { method: 'POST', body, headers })).status;
