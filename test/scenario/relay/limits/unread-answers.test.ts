/** A device that gives and does not read what it is sent costs its carrier little, and others nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageIdOf } from '../../../../shared/relay/frames.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { relayOf } from '../carrying-phone.ts';
import { unbufferedChannel, type FramesDevice } from '../channels.ts';
import { handClock } from './hand-clock.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

const mebibyte = 1024 * 1024;

/** A phone whose server answers each sealed request with so many bytes, and how many it had. */
async function answeringRelay(bytes: number) {
  const clock = handClock();
  const relay = await relayOf(server, { clock });
  const posts = { count: 0 };
  relay.net.answers('relay', () => {
    posts.count++;
    return new Response(new Uint8Array(bytes), { headers: { 'Content-Type': 'message/ohttp-res' } });
  });
  relay.net.online = true;
  return { ...relay, clock, posts };
}

async function ask(device: FramesDevice): Promise<string> {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  const id = await messageIdOf(bytes);
  await device.send({ type: 'ask', id, total: 20, offset: 0, bytes });
  return id;
}

test('[RELAY-98] a side that gives and takes nothing for 2 minutes ends the channel', async () => {
  const { meet, clock, posts } = await answeringRelay(100);
  const { device, ended } = await meet(unbufferedChannel());
  let isEnded = false;
  void ended.finally(() => (isEnded = true));
  await ask(device);
  await expect.poll(() => posts.count).toBe(1);
  const unknown = new Uint8Array([0, 0, 0, 1, 200]);
  for (let waitedMs = 0; waitedMs < 110_000; waitedMs += 10_000) {
    await device.sendBytes(unknown);
    clock.advance(10_000);
  }
  expect(isEnded).toBe(false);
  clock.advance(10_000);
  await expect.poll(() => isEnded).toBe(true);
  expect(await ended).toEqual({ ended: 'lost' });
});

test('[RELAY-103] a phone reads no more than 64 KiB of an error', async () => {
  const relay = await relayOf(server);
  let isCancelled = false;
  relay.net.answers('relay', () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
      cancel: () => void (isCancelled = true),
    });
    return new Response(body, { status: 500, headers: { 'Content-Type': 'application/json' } });
  });
  relay.net.online = true;
  const { device } = await relay.meet();
  const id = await ask(device);
  expect(await device.next()).toEqual({ type: 'failed', id, code: 'later' });
  expect(isCancelled).toBe(true);
});

test('[RELAY-103] a phone reads no more than 16 MiB of an answer, and refuses its request', async () => {
  const relay = await relayOf(server);
  let read = 0;
  let isCancelled = false;
  relay.net.answers('relay', () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        read += mebibyte;
        controller.enqueue(new Uint8Array(mebibyte));
      },
      cancel: () => void (isCancelled = true),
    });
    return new Response(body, { headers: { 'Content-Type': 'message/ohttp-res' } });
  });
  relay.net.online = true;
  const { device } = await relay.meet();
  const id = await ask(device);
  expect(await device.next()).toEqual({ type: 'failed', id, code: 'refused' });
  expect(isCancelled).toBe(true);
  expect(read).toBeLessThan(20 * mebibyte);
});

test('[RELAY-99] answers that devices did not read yet have 16 MiB a session and 64 MiB in all', async () => {
  const relay = await answeringRelay(9 * mebibyte);
  const askTwice = async () => {
    const { device } = await relay.meet(unbufferedChannel());
    const before = relay.posts.count;
    await ask(device);
    await expect.poll(() => relay.posts.count).toBe(before + 1);
    await ask(device);
    await expect.poll(() => relay.posts.count).toBe(before + 2);
    return device;
  };
  const framesOf = async (device: FramesDevice) => {
    const seen: (string | undefined)[] = [];
    for (;;) {
      const frame = await device.next();
      const isLast = frame?.type === 'answer' && frame.offset + frame.bytes.length === frame.total;
      if (frame?.type === 'failed') seen.push(frame.code);
      else if (isLast) seen.push('answer');
      if (!frame || seen.length === 2) return seen.toSorted();
    }
  };
  const devices: FramesDevice[] = [];
  for (let session = 0; session < 7; session++) devices.push(await askTwice());
  const { device: late } = await relay.meet(unbufferedChannel());
  await ask(late);
  expect(await late.next()).toMatchObject({ type: 'failed', code: 'later' });
  // The second answer is beyond the room of its session.
  expect(await framesOf(devices[0]!)).toEqual(['answer', 'later']);
  await ask(late);
  expect(await late.next()).toMatchObject({ type: 'answer' });
});
