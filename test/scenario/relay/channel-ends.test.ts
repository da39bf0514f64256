/** How the channel between a device and its carrier ends. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { relayOf } from './carrying-phone.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

test('[RELAY-27] a phone ends a channel with another server, a later version or broken frames, and says why', async () => {
  const relay = await relayOf(server);
  const byeTo = async (greeting: object) => {
    const { device: watch, ended } = await relay.meet(undefined, greeting);
    const frame = await watch.next();
    await ended;
    return frame;
  };
  expect(await byeTo({ server: '00'.repeat(8) })).toEqual({ type: 'bye', code: 'other_server' });
  expect(await byeTo({ v: 2 })).toEqual({ type: 'bye', code: 'too_new' });
  expect(await byeTo({ role: 'carrier' })).toEqual({ type: 'bye', code: 'malformed' });
  const id = '00'.repeat(16);
  const answer = { type: 'answer', id, total: 1, offset: 0, bytes: new Uint8Array(1) } as const;
  const beforeHello = await relay.meet(undefined, answer);
  expect(await beforeHello.device.next()).toEqual({ type: 'bye', code: 'malformed' });
  const wrongId = await relay.meet();
  expect(await wrongId.device.give(id, new Uint8Array(40))).toEqual([{ type: 'bye', code: 'malformed' }]);
  const broken = await relay.meet();
  await broken.device.sendBytes(new Uint8Array([255, 255, 255, 255]));
  await broken.ended;
  expect(await relay.carrying()).toMatchObject({ messages: 0 });
});

test('[RELAY-31] 30 s of silence end the channel', async () => {
  const timers: { ms: number; call: () => void }[] = [];
  const schedule = (ms: number, call: () => void) => {
    const timer = { ms, call };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer), 1);
  };
  const relay = await relayOf(server, { clock: { schedule } });
  const { ended } = await relay.meet();
  await expect.poll(() => timers.filter(({ ms }) => ms === 30_000).length).toBe(1);
  timers.find(({ ms }) => ms === 30_000)!.call();
  await expect(ended).resolves.toBeUndefined();
});
