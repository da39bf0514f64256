/** Garbage from a device at its side costs a phone few requests, and none of its own sync's. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemOf } from '../../../../shared/protocol/problem.ts';
import type { CommonProblemCode } from '../../../../shared/protocol/problem.ts';
import { messageIdOf, type Frame } from '../../../../shared/relay/frames.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { relayOf } from '../carrying-phone.ts';
import type { FramesDevice } from '../channels.ts';
import { handClock } from './hand-clock.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

/** A phone whose server answers each sealed request with a problem, and how many it had. */
async function refusingRelay(code: CommonProblemCode) {
  const clock = handClock();
  const relay = await relayOf(server, { clock });
  const problem = problemOf({ code, detail: 'No.' });
  const posts = { count: 0 };
  relay.net.answers('relay', () => {
    posts.count++;
    return Response.json(problem, { status: problem.status });
  });
  relay.net.online = true;
  return { ...relay, clock, posts };
}

/** Sends a request of random bytes, and returns the first word on it. */
async function sendGarbage(
  device: FramesDevice,
  type: 'ask' | 'give',
  { isPhoto = false } = {},
): Promise<Frame | undefined> {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  const id = await messageIdOf(bytes);
  if (isPhoto) await device.send({ type: 'photo', id });
  await device.send({ type, id, total: 20, offset: 0, bytes });
  return device.next();
}

test('[RELAY-82] a device whose live requests the server refuses is sent away after 10', async () => {
  const { meet, posts } = await refusingRelay('relay_malformed');
  const { device, ended } = await meet();
  for (let count = 0; count < 10; count++) {
    expect(await sendGarbage(device, 'ask')).toMatchObject({ type: 'failed', code: 'refused' });
  }
  expect(await sendGarbage(device, 'ask')).toEqual({ type: 'bye', code: 'malformed' });
  await ended;
  expect(posts.count).toBe(10);
});

test('[RELAY-82] a session has 120 live requests in a minute', async () => {
  const { meet, posts, clock } = await refusingRelay('unavailable');
  const { device } = await meet();
  for (let count = 0; count < 125; count++) {
    expect(await sendGarbage(device, 'ask')).toMatchObject({ type: 'failed', code: count < 120 ? 'later' : 'busy' });
  }
  expect(posts.count).toBe(120);
  clock.advance(29_000);
  await sendGarbage(device, 'ask');
  clock.advance(29_000);
  await sendGarbage(device, 'ask');
  expect(posts.count).toBe(120);
  clock.advance(2_000);
  await sendGarbage(device, 'ask');
  expect(posts.count).toBe(121);
});

test('[RELAY-82] all sessions together have 300 live requests in a minute', async () => {
  const { meet, posts } = await refusingRelay('unavailable');
  for (let session = 0; session < 3; session++) {
    const { device } = await meet();
    for (let count = 0; count < 105; count++) await sendGarbage(device, 'ask');
  }
  expect(posts.count).toBe(300);
});

test('[RELAY-121] photos have 40 live requests of a session in a minute, and leave the others their part', async () => {
  const { meet, posts, clock } = await refusingRelay('unavailable');
  const { device } = await meet();
  const ask = async (isPhoto: boolean) => {
    const frame = await sendGarbage(device, 'ask', { isPhoto });
    return frame?.type === 'failed' ? frame.code : frame;
  };
  for (let count = 0; count < 40; count++) expect(await ask(true)).toBe('later');
  expect(await ask(true)).toBe('busy');
  for (let count = 0; count < 80; count++) expect(await ask(false)).toBe('later');
  expect(await ask(false)).toBe('busy');
  expect(posts.count).toBe(120);
  clock.advance(29_000);
  await sendGarbage(device, 'ask');
  clock.advance(29_000);
  await sendGarbage(device, 'ask');
  clock.advance(2_000);
  expect(await ask(true)).toBe('later');
});

test('[RELAY-121] photos of all sessions have 100 live requests in a minute', async () => {
  const { meet, posts } = await refusingRelay('unavailable');
  for (let session = 0; session < 3; session++) {
    const { device } = await meet();
    for (let count = 0; count < 40; count++) await sendGarbage(device, 'ask', { isPhoto: true });
  }
  expect(posts.count).toBe(100);
});

test('[RELAY-121] a fifth request beside four that wait fails as busy', async () => {
  const { meet, net } = await refusingRelay('unavailable');
  net.answers('relay', () => new Promise(() => {}));
  const { device } = await meet();
  for (let count = 0; count < 4; count++) {
    const bytes = crypto.getRandomValues(new Uint8Array(20));
    await device.send({ type: 'ask', id: await messageIdOf(bytes), total: 20, offset: 0, bytes });
  }
  expect(await sendGarbage(device, 'ask')).toMatchObject({ type: 'failed', code: 'busy' });
});

test('[RELAY-104] a phone whose quota is used up asks nothing until the time that the server names', async () => {
  const { meet, net, clock } = await refusingRelay('rate_limited');
  let posts = 0;
  net.answers('relay', () => {
    posts++;
    return Response.json(problemOf({ code: 'rate_limited', detail: 'No.' }), {
      status: 429,
      headers: { 'Retry-After': '20' },
    });
  });
  const { device } = await meet();
  for (let count = 0; count < 3; count++) {
    expect(await sendGarbage(device, 'ask')).toMatchObject({ type: 'failed', code: 'later' });
  }
  expect(posts).toBe(1);
  clock.advance(20_000);
  await sendGarbage(device, 'ask');
  expect(posts).toBe(2);
});

test('[RELAY-82] a phone delivers 240 messages in a minute', async () => {
  const { meet, posts, clock } = await refusingRelay('relay_malformed');
  const { device } = await meet();
  let heard = 0;
  while (heard < 600 && posts.count < 240) {
    await sendGarbage(device, 'give');
    heard++;
  }
  expect(posts.count).toBe(240);
  for (let count = 0; count < 20; count++) await sendGarbage(device, 'give');
  expect(posts.count).toBe(240);
  clock.advance(29_000);
  await sendGarbage(device, 'give');
  clock.advance(29_000);
  await sendGarbage(device, 'give');
  expect(posts.count).toBe(240);
  clock.advance(2_000);
  await expect.poll(() => (clock.advance(1_000), posts.count)).toBeGreaterThan(240);
});
