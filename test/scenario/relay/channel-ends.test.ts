/** How the channel between a device and its carrier ends. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeFrame, FrameReader, type Frame } from '../../../shared/relay/frames.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { relayOf } from './carrying-phone.ts';
import { meet, newCarryingPhone, newWatch } from './watches.ts';
import { unbufferedChannel } from './channels.ts';

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
  expect(await broken.device.next()).toEqual({ type: 'bye', code: 'malformed' });
  expect(await broken.ended).toEqual({ ended: 'malformed' });
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
  expect(await ended).toEqual({ ended: 'lost' });
});

test('[RELAY-31] a side that takes nothing for 30 s ends the channel as well', async () => {
  const calls = new Set<() => void>();
  const schedule = (ms: number, call: () => void) => {
    if (ms === 30_000) calls.add(call);
    return () => void calls.delete(call);
  };
  const clock = { schedule };
  const { carrier } = await newCarryingPhone(server, { clock });
  const watch = await newWatch(server, { clock });
  const stuck = () => ({
    readable: new ReadableStream<Uint8Array>(),
    writable: new WritableStream<Uint8Array>({ write: () => new Promise(() => {}) }),
  });
  for (const run of [() => carrier.carry(stuck()), () => watch.handOver.handOver(stuck())]) {
    let isEnded = false;
    void run().finally(() => (isEnded = true));
    await expect.poll(() => calls.size).toBeGreaterThan(0);
    await expect
      .poll(() => {
        for (const call of calls) call();
        return isEnded;
      })
      .toBe(true);
  }
});

test('[RELAY-47] a device ends a channel whose other side gives answers without end and takes nothing', async () => {
  const watch = await newWatch(server);
  await watch.record();
  const read = new FrameReader();
  let greet!: (hello: Frame) => void;
  const greeted = new Promise<Frame>((resolve) => (greet = resolve));
  let given = 0;
  const hostile = {
    writable: new WritableStream<Uint8Array>({
      write(bytes) {
        const [hello] = read.push(bytes) ?? [];
        if (given > 0 || hello?.type !== 'hello') return new Promise(() => {});
        greet({ ...hello, role: 'carrier' });
      },
    }),
    readable: new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (given === 0) controller.enqueue(encodeFrame(await greeted));
        const id = (++given).toString(16).padStart(32, '0');
        controller.enqueue(encodeFrame({ type: 'answer', id, total: 1, offset: 0, bytes: new Uint8Array(1) }));
        if (given === 2_000) controller.close();
      },
    }),
  };
  expect(await watch.handOver.handOver(hostile)).toMatchObject({ given: 0, answered: 0 });
  expect(given).toBeLessThan(400);
});

test('[RELAY-46] a hand-over needs no buffer in its channel', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const session = await watch.record();
  expect(await meet(watch, phone, unbufferedChannel())).toEqual({ given: 2, answered: 0, ended: 'done' });
  await watch.record();
  phone.net.online = true;
  expect(await meet(watch, phone, unbufferedChannel())).toMatchObject({ ended: 'done' });
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
});
