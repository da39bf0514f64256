/** Nothing that befalls one message holds up the others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageIdOf, partBytesMax } from '../../../../shared/relay/frames.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { relayOf } from '../carrying-phone.ts';
import { handClock } from './hand-clock.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

test.each(['refuses it with a page', 'breaks off'])(
  '[RELAY-105] where something on the way %s, a long message holds up no other',
  async (what) => {
    const relay = await relayOf(server, { clock: handClock() });
    relay.net.answers('relay', (ask, { raw }) => {
      if (raw.length < 100_000) return ask();
      if (what === 'breaks off') throw new TypeError('terminated');
      return new Response('<h1>Request Entity Too Large</h1>', { status: 413 });
    });
    const long = crypto.getRandomValues(new Uint8Array(65_000));
    const sealedLong = new Uint8Array(200_000);
    sealedLong.set(long);
    const { device: other } = await relay.meet();
    await other.give(await messageIdOf(sealedLong), sealedLong);
    const { id, sealed } = await relay.sealPush();
    const { device } = await relay.meet();
    await device.give(id, sealed);
    relay.net.online = true;
    await relay.phone.sync();
    expect((await device.answer()).id).toBe(id);
    expect(await relay.runCount()).toBe(1);
    // The phone goes on to say that it has a network.
    await relay.phone.sync();
    const { device: later } = await relay.meet();
    const next = await relay.sealPush();
    expect(await later.give(next.id, next.sealed)).toMatchObject([{ type: 'have' }]);
    expect((await later.answer()).id).toBe(next.id);
    expect(later.heardOnline).not.toContain(false);
  },
);

test('[RELAY-118] a large live request that breaks off ends the meeting of nobody', async () => {
  const relay = await relayOf(server, { clock: handClock() });
  relay.net.online = true;
  relay.net.answers('relay', (ask, { raw }) => {
    if (raw.length < 100_000) return ask();
    throw new TypeError('terminated');
  });
  const { device } = await relay.meet();
  const large = crypto.getRandomValues(new Uint8Array(60_000));
  const bytes = new Uint8Array(200_000);
  bytes.set(large);
  const id = await messageIdOf(bytes);
  for (let offset = 0; offset < bytes.length; offset += partBytesMax)
    await device.send({
      type: 'ask',
      id,
      total: bytes.length,
      offset,
      bytes: bytes.slice(offset, offset + partBytesMax),
    });
  expect(await device.next()).toMatchObject({ type: 'failed', id });
  const { id: next, sealed } = await relay.sealPush();
  await device.send({ type: 'ask', id: next, total: sealed.length, offset: 0, bytes: sealed });
  expect(await device.next()).toMatchObject({ type: 'answer', id: next });
  expect(device.heardOnline).not.toContain(false);
});

test('[RELAY-105] messages that the server always declines do not make it look out of reach', async () => {
  const clock = handClock();
  const relay = await relayOf(server, { clock });
  relay.net.answers('relay', (ask, { raw }) =>
    raw.length === 60 ? Response.json({ code: 'unavailable', status: 503 }, { status: 503 }) : ask(),
  );
  const { device: stuck } = await relay.meet();
  for (let count = 0; count < 4; count++) {
    const sealed = crypto.getRandomValues(new Uint8Array(60));
    await stuck.give(await messageIdOf(sealed), sealed);
  }
  relay.net.online = true;
  for (let round = 0; round < 4; round++) {
    await relay.phone.sync();
    clock.advance(61_000);
  }
  const { device } = await relay.meet();
  const { id, sealed } = await relay.sealPush();
  await device.give(id, sealed);
  expect((await device.answer()).id).toBe(id);
  await device.give(id, sealed, { to: 1 });
  expect(device.heardOnline).not.toContain(false);
});

test('[RELAY-107] a phone whose clock is set right weeks ahead delivers what it took before', async () => {
  let now = Date.now();
  const relay = await relayOf(server, { clock: { schedule: () => () => {}, wallMs: () => now } });
  const { id, sealed } = await relay.sealPush();
  const { device } = await relay.meet();
  await device.give(id, sealed);
  now += 26 * 24 * 3_600_000;
  relay.net.online = true;
  await relay.phone.sync();
  await device.answer();
  expect(await relay.runCount()).toBe(1);
});

test('[RELAY-107] a phone whose clock is set right weeks ahead drops nothing that it did not try to deliver', async () => {
  let now = Date.now();
  const relay = await relayOf(server, { clock: { schedule: () => () => {}, wallMs: () => now } });
  const { device } = await relay.meet();
  for (let count = 0; count < 3; count++) {
    const { id, sealed } = await relay.sealPush();
    await device.give(id, sealed);
  }
  now += 26 * 24 * 3_600_000;
  relay.net.answers('relay', () => new Response(null, { status: 429, headers: { 'Retry-After': '60' } }));
  relay.net.online = true;
  await relay.phone.sync();
  await expect.poll(relay.carrying).toMatchObject({ messages: 2 });
  await relay.phone.sync();
  expect(await relay.carrying()).toMatchObject({ messages: 2 });
});

test('[RELAY-108] an answer that is too short to be sealed is none', async () => {
  const relay = await relayOf(server);
  const { id, sealed } = await relay.sealPush();
  const { device } = await relay.meet();
  await device.give(id, sealed);
  let isBroken = true;
  let posts = 0;
  relay.net.answers('relay', (ask) => {
    posts++;
    return isBroken ? new Response(null, { headers: { 'Content-Type': 'message/ohttp-res' } }) : ask();
  });
  relay.net.online = true;
  await relay.phone.sync();
  await expect.poll(() => posts).toBeGreaterThan(0);
  expect(await relay.carrying()).toMatchObject({ messages: 1, bytes: sealed.length });
  isBroken = false;
  await relay.phone.sync();
  expect((await device.answer()).bytes.length).toBeGreaterThan(32);
});
