/** A phone carries the sealed requests of a watch to the server, and the answers back. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCarrier } from '../../../client/client.ts';
import { openCarriedTable } from '../../../client/relay/carried-table.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { messageIdOf } from '../../../shared/relay/frames.ts';
import { openInner } from '../../contract/sealed-client.ts';
import { current, device, json, manualSync, memoryStorage, network } from '../../device/devices.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { channelKinds } from './channels.ts';
import { meet, relayOf } from './carrying-phone.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

const json503 = () =>
  new Response(JSON.stringify({ code: 'unavailable', status: 503 }), {
    status: 503,
    headers: { 'Content-Type': 'application/problem+json' },
  });

const sealedResponse = (bytes: Uint8Array<ArrayBuffer>) =>
  new Response(bytes, { headers: { 'Content-Type': 'message/ohttp-res' } });

test.each(Object.keys(channelKinds))(
  '[RELAY-23] over %s a sealed push goes to the disk of a phone, to the server, and its answer back; then the phone forgets both',
  async (kind) => {
    const relay = await relayOf(server);
    const { phone, net } = relay;
    const sent = await relay.sealPush();
    const { device: watch, ended } = await relay.meet(channelKinds[kind]!());
    const total = sent.sealed.length;
    expect(await watch.give(sent.id, sent.sealed, { partBytes: 100 })).toMatchObject(
      Array.from({ length: Math.ceil(total / 100) }, (_, index) => ({
        type: 'have',
        id: sent.id,
        offset: Math.min(total, (index + 1) * 100),
      })),
    );
    expect(await relay.carrying()).toMatchObject({ messages: 1, bytes: total, oldest_at: expect.any(String) });
    expect((await current(phone.status$)).pending).toBe(0);
    net.online = true;
    await phone.sync();
    const answer = await watch.answer();
    expect(answer.id).toBe(sent.id);
    expect(await openInner(sealedResponse(answer.bytes), sent)).toMatchObject({ status: 200, body: { last_seq: 1 } });
    expect(await relay.runCount()).toBe(1);
    await watch.send({ type: 'kept', id: sent.id });
    await watch.send({ type: 'bye', code: 'done' });
    await ended;
    expect(await relay.carrying()).toEqual({ messages: 0, bytes: 0, oldest_at: null });
  },
);

test('[RELAY-24] a hand-over that breaks at any byte goes on behind what the phone has stored, also after the phone restarts', async () => {
  const seed = Number(process.env['GEMBA_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`GEMBA_SEED=${seed}`);
  let state = seed;
  const below = (max: number) => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % max;
  const relay = await relayOf(server);
  const sent = await relay.sealPush();
  const total = sent.sealed.length;
  const options = { url: server.url, name: `phone-${randomUUID()}`, storage: memoryStorage(), token: relay.watch.key };
  const net = network(false);
  const openPhone = async () => {
    const carrier = createCarrier();
    return { carrier, phone: await device({ ...options, ...manualSync(net), carrier }) };
  };
  let { phone, carrier } = await openPhone();
  let stored = 0;
  for (let meetings = 0; stored < total; meetings++) {
    expect(meetings).toBeLessThan(total);
    const { device: watch } = await meet(carrier, server.url);
    // The watch may lack the last words of the phone, and then gives some bytes again.
    const from = below(stored + 1);
    const to = Math.min(total, stored + 1 + below(60));
    const heard = await watch.give(sent.id, sent.sealed, { from, to, partBytes: 1 + below(30) });
    const offsets = heard.map((frame) => (frame.type === 'have' ? frame.offset : Number.NaN));
    expect(offsets.every((offset) => offset >= stored && offset <= to)).toBe(true);
    expect(offsets.at(-1)).toBe(to);
    stored = to;
    await watch.sendBytes(new Uint8Array([0, 0, 0, 60, 2, 1].slice(0, below(7))));
    await watch.leave();
    if (below(3) > 0) continue;
    await phone.close();
    ({ phone, carrier } = await openPhone());
  }
  const { device: watch } = await meet(carrier, server.url);
  expect(await watch.give(sent.id, sent.sealed, { to: 1 })).toMatchObject([{ type: 'have', offset: total }]);
  net.online = true;
  await phone.sync();
  expect(await openInner(sealedResponse((await watch.answer()).bytes), sent)).toMatchObject({ status: 200 });
  expect(await relay.runCount()).toBe(1);
});

test('[RELAY-26] a phone forgets after 14 days what it could not deliver', async () => {
  let now = Date.now();
  const net = { clock: { schedule: () => () => {}, wallMs: () => now } };
  const relay = await relayOf(server, net);
  const sent = await relay.sealPush();
  const { device: watch } = await relay.meet();
  await watch.give(sent.id, sent.sealed);
  relay.net.answers('relay', () => new Response('', { status: 503 }));
  relay.net.online = true;
  now += 13 * 24 * 3_600_000;
  await relay.phone.sync();
  expect(await relay.carrying()).toMatchObject({ messages: 1 });
  now += 25 * 3_600_000;
  await relay.phone.sync();
  await expect.poll(relay.carrying).toMatchObject({ messages: 0 });
});

test('[RELAY-28] what a phone has to send itself goes before what it carries', async () => {
  const relay = await relayOf(server);
  const { phone, net } = relay;
  const sent = await relay.sealPush();
  const { device: watch } = await relay.meet();
  await watch.give(sent.id, sent.sealed);
  await phone.createMap({ name: 'Own' });
  const order: string[] = [];
  let isDown = true;
  net.answers('sync/push', (ask) => (isDown ? new Response('', { status: 503 }) : (order.push('push'), ask())));
  net.answers('relay', (ask) => (order.push('relay'), ask()));
  net.online = true;
  await phone.sync();
  expect(order).toEqual([]);
  // A device that comes makes the phone try again, since the network may be back.
  const other = await relay.sealPush();
  const { device: later } = await relay.meet();
  await later.give(other.id, other.sealed);
  isDown = false;
  await phone.sync();
  await watch.answer();
  await later.answer();
  expect(order[0]).toBe('push');
  expect(order.filter((one) => one === 'relay')).toHaveLength(2);
});

test('[RELAY-29] a message is dropped when the server says that it will never open it, and kept when anything else answers', async () => {
  const relay = await relayOf(server);
  const { phone, net } = relay;
  const sent = await relay.sealPush();
  const changed = sent.sealed.with(sent.sealed.length - 1, 7);
  const { device: watch } = await relay.meet();
  await watch.give(await messageIdOf(changed), changed);
  net.online = true;
  const answers = [
    () => new Response('', { status: 503 }),
    () => new Response('<html>', { status: 200, headers: { 'Content-Type': 'text/html' } }),
    () => json({ code: 'rate_limited' }),
    () => new Response('no', { status: 422 }),
  ];
  for (const answer of answers) {
    let asked = 0;
    net.answers('relay', () => (asked++, answer()));
    await phone.sync();
    await expect.poll(() => asked).toBeGreaterThan(0);
    expect(await relay.carrying()).toMatchObject({ messages: 1 });
  }
  net.answers('relay', (ask) => ask());
  await phone.sync();
  await expect.poll(relay.carrying).toMatchObject({ messages: 0 });
  expect(await relay.runCount()).toBe(0);
  const failed = { type: 'failed', id: await messageIdOf(changed), code: 'refused' };
  expect(await watch.next()).toEqual(failed);
  // A device that comes later learns it, too.
  const later = await relay.meet();
  await later.device.send({ type: 'have', id: failed.id, offset: 0 });
  expect(await later.device.next()).toEqual(failed);
  expect(await later.device.give(failed.id, changed, { to: 1 })).toEqual([failed]);
});

test('[RELAY-49] a message that the server declines holds up no other, and its device is told', async () => {
  const relay = await relayOf(server);
  const [first, second] = [await relay.sealPush(), await relay.sealPush()];
  const { device: watch } = await relay.meet();
  await watch.give(first.id, first.sealed);
  await watch.give(second.id, second.sealed);
  let declined = first.sealed;
  relay.net.answers('relay', async (ask, { raw }) => {
    const isDeclined = Buffer.from(declined).equals(Buffer.from(raw));
    return isDeclined ? json503() : ask();
  });
  relay.net.online = true;
  await relay.phone.sync();
  expect(await watch.next()).toEqual({ type: 'failed', id: first.id, code: 'later' });
  expect((await watch.answer()).id).toBe(second.id);
  declined = new Uint8Array();
  await relay.phone.sync();
  expect((await watch.answer()).id).toBe(first.id);
});

test('[RELAY-59] a phone keeps nothing of a message whose bytes are not those that its id names', async () => {
  const relay = await relayOf(server);
  const { id, sealed } = await relay.sealPush();
  const { device: liar, ended } = await relay.meet();
  const changed = sealed.with(sealed.length - 1, sealed.at(-1)! ^ 1);
  expect(await liar.give(id, changed)).toEqual([{ type: 'bye', code: 'malformed' }]);
  await ended;
  expect(await relay.carrying()).toMatchObject({ messages: 0 });
  const { device: watch } = await relay.meet();
  expect(await watch.give(id, sealed)).toMatchObject([{ type: 'have', offset: sealed.length }]);
});

test('[RELAY-30] the disk of a phone that carries has neither token nor name of the watch, before and after the answer', async () => {
  const storage = memoryStorage();
  const name = `phone-${randomUUID()}`;
  const relay = await relayOf(server, { storage, name });
  const [first, second] = [await relay.sealPush(), await relay.sealPush()];
  const { device: watch } = await relay.meet();
  await watch.give(first.id, first.sealed);
  relay.net.online = true;
  await relay.phone.sync();
  await watch.answer();
  relay.net.online = false;
  await watch.give(second.id, second.sealed);
  await relay.phone.close();
  const clock = { schedule: () => () => {}, wallMs: Date.now };
  const tables = await openDeviceTables({ name, storage, clock });
  const rows = await (await openCarriedTable(tables, clock.schedule)).readAll();
  await tables.close();
  expect(rows.map(([, { kind }]) => kind).toSorted()).toEqual(['answer', 'message', 'message', 'part']);
  const bytes = rows.map(
    ([id, body]) =>
      id + JSON.stringify(body) + ('bytes' in body ? atob(body.bytes.replaceAll('-', '+').replaceAll('_', '/')) : ''),
  );
  for (const secret of [relay.watch.key, 'Secret weld', 'upload_recording']) {
    expect(bytes.filter((one) => one.includes(secret))).toEqual([]);
  }
});
