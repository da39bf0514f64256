/** Garbage takes no room from the messages of others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageIdOf } from '../../../../shared/relay/frames.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { relayOf, type Relay } from '../carrying-phone.ts';
import { channelKinds, type FramesDevice } from '../channels.ts';
import { newCarryingPhone } from '../watches.ts';
import { handClock } from './hand-clock.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

/** Gives a message of random bytes, and returns the last word on it. */
async function giveGarbage(device: FramesDevice, bytes: number) {
  const sealed = crypto.getRandomValues(new Uint8Array(bytes));
  const id = await messageIdOf(sealed);
  return { id, sealed, word: (await device.give(id, sealed))[0] };
}

/** Lets so many sessions give so many messages each, and expects that all are taken. */
async function fill(
  relay: Relay,
  { sessions, messages, bytes }: { sessions: number; messages: number; bytes: number },
) {
  for (let session = 0; session < sessions; session++) {
    const { device } = await relay.meet();
    for (let count = 0; count < messages; count++) {
      expect((await giveGarbage(device, bytes)).word).toMatchObject({ type: 'have', offset: bytes });
    }
  }
}

const wordOn = async (relay: Relay) => {
  const { id, sealed } = await relay.sealPush();
  const { device } = await relay.meet();
  return (await device.give(id, sealed))[0];
};

test('[RELAY-90] what is beyond the share of a session gives way to the messages of others', async () => {
  const relay = await relayOf(server);
  const { device: greedy } = await relay.meet();
  const kept: { id: string; sealed: Uint8Array<ArrayBuffer> }[] = [];
  for (let count = 0; count < 64; count++) kept.push(await giveGarbage(greedy, 60));
  expect((await giveGarbage(greedy, 60)).word).toEqual({ type: 'bye', code: 'full' });
  for (let count = 0; count < 8; count++) expect(await wordOn(relay)).toMatchObject({ type: 'have' });
  expect(await relay.carrying()).toMatchObject({ messages: 64 });
  const { device } = await relay.meet();
  const has = async ({ id, sealed }: (typeof kept)[number]) => {
    const [word] = await device.give(id, sealed, { to: 1 });
    return word?.type === 'have' && word.offset === sealed.length;
  };
  // The share of the greedy one stays, and the oldest of the rest went.
  const left = [];
  for (const one of kept.slice(0, 20)) left.push(await has(one));
  expect(left).toEqual(kept.slice(0, 20).map((_, index) => index < 8 || index >= 16));
});

test('[RELAY-90] what is within the share of its session is dropped for nobody', async () => {
  const relay = await relayOf(server);
  await fill(relay, { sessions: 8, messages: 8, bytes: 60 });
  expect(await wordOn(relay)).toEqual({ type: 'bye', code: 'full' });
  expect(await relay.carrying()).toMatchObject({ messages: 64, bytes: 64 * 60 });
});

test('[RELAY-90] what is too short to be a sealed request gives way, whoever gave it', async () => {
  const relay = await relayOf(server);
  await fill(relay, { sessions: 8, messages: 8, bytes: 54 });
  expect(await wordOn(relay)).toMatchObject({ type: 'have' });
  expect(await relay.carrying()).toMatchObject({ messages: 64 });
});

test('[RELAY-91] what the server declines again and again while it answers others gives way', async () => {
  const relay = await relayOf(server);
  const { device: stuck } = await relay.meet();
  const { id, sealed } = await giveGarbage(stuck, 60);
  const problem = { code: 'unavailable', status: 503 };
  relay.net.answers('relay', (_ask, { raw }) =>
    raw.length === 60
      ? Response.json(problem, { status: 503 })
      : new Response(new Uint8Array(40), { headers: { 'Content-Type': 'message/ohttp-res' } }),
  );
  for (let round = 0; round < 3; round++) {
    relay.net.online = false;
    const push = await relay.sealPush();
    const { device } = await relay.meet();
    await device.give(push.id, push.sealed);
    relay.net.online = true;
    await relay.phone.sync();
    await device.answer();
    expect(await stuck.next()).toEqual({ type: 'failed', id, code: 'later' });
  }
  relay.net.online = false;
  await fill(relay, { sessions: 7, messages: 8, bytes: 60 });
  await fill(relay, { sessions: 1, messages: 7, bytes: 60 });
  expect(await wordOn(relay)).toMatchObject({ type: 'have' });
  const { device } = await relay.meet();
  expect(await device.give(id, sealed, { to: 1 })).toEqual([{ type: 'bye', code: 'full' }]);
});

test('[RELAY-91] what a server declines that answers nothing gives way to nobody', async () => {
  const relay = await relayOf(server);
  const { device } = await relay.meet();
  const { id } = await giveGarbage(device, 60);
  relay.net.answers('relay', () => Response.json({ code: 'unavailable', status: 503 }, { status: 503 }));
  relay.net.online = true;
  for (let round = 0; round < 3; round++) {
    await relay.phone.sync();
    expect(await device.next()).toEqual({ type: 'failed', id, code: 'later' });
  }
  relay.net.online = false;
  await fill(relay, { sessions: 7, messages: 8, bytes: 60 });
  await fill(relay, { sessions: 1, messages: 7, bytes: 60 });
  expect(await wordOn(relay)).toEqual({ type: 'bye', code: 'full' });
});

test('[RELAY-92] a phone ends a channel whose device has said nothing for 10 s', async () => {
  const clock = handClock();
  const { carrier } = await newCarryingPhone(server, { clock });
  const { near, far } = channelKinds['Node streams']!();
  const reader = far.readable.getReader();
  const carrying = carrier.carry(near);
  await reader.read();
  clock.advance(11_000);
  await expect.poll(async () => (await reader.read()).done).toBe(true);
  await carrying;
});
