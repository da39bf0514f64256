/** A device that knows the ids of others' messages costs these nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCarriedTable } from '../../../../client/relay/carried-table.ts';
import { openDeviceTables } from '../../../../client/storage/device-tables.ts';
import { concat, uint32, type Bytes } from '../../../../shared/relay/byte-reader.ts';
import { encodeFrame } from '../../../../shared/relay/frames.ts';
import { memoryStorage } from '../../../device/devices.ts';
import { openInner } from '../../../contract/sealed-client.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { relayOf } from '../carrying-phone.ts';
import { channelKinds, unbufferedChannel } from '../channels.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

const sealedResponse = (bytes: Bytes) => new Response(bytes, { headers: { 'Content-Type': 'message/ohttp-res' } });

test('[RELAY-83] a phone keeps what it has not delivered, whoever says that it may forget it', async () => {
  const relay = await relayOf(server);
  const sent = await relay.sealPush();
  const { device: watch } = await relay.meet();
  await watch.give(sent.id, sent.sealed);
  const { device: stranger, ended } = await relay.meet();
  for (const device of [stranger, watch]) {
    await device.send({ type: 'kept', id: sent.id });
    // The word on a byte that is there already comes after that on the message.
    expect(await device.give(sent.id, sent.sealed, { to: 1 })).toMatchObject([{ offset: sent.sealed.length }]);
  }
  await stranger.send({ type: 'bye', code: 'done' });
  await ended;
  expect(await relay.carrying()).toMatchObject({ messages: 1 });
  relay.net.online = true;
  await relay.phone.sync();
  const answer = await watch.answer();
  expect(await openInner(sealedResponse(answer.bytes), sent)).toMatchObject({ status: 200 });
  expect(await relay.runCount()).toBe(1);
});

test('[RELAY-83] a phone forgets an answered message only for a device that it has given the answer in this session', async () => {
  const relay = await relayOf(server);
  const sent = await relay.sealPush();
  const { device: watch } = await relay.meet();
  await watch.give(sent.id, sent.sealed);
  relay.net.online = true;
  await relay.phone.sync();
  const { bytes } = await watch.answer();
  await watch.send({ type: 'bye', code: 'done' });
  const { device: later } = await relay.meet();
  await later.send({ type: 'kept', id: sent.id });
  expect(await later.answer()).toEqual({ id: sent.id, bytes });
  expect(await relay.carrying()).toMatchObject({ messages: 1 });
  await later.send({ type: 'kept', id: sent.id });
  await expect.poll(relay.carrying).toMatchObject({ messages: 0 });
});

test('[RELAY-84] a message is taken, whatever others gave under its id before and meanwhile', async () => {
  const relay = await relayOf(server);
  const { id, sealed } = await relay.sealPush();
  const total = sealed.length;
  const { device: wrongTotal } = await relay.meet();
  await wrongTotal.send({ type: 'give', id, total: 7, offset: 0, bytes: sealed.slice(0, 2) });
  expect(await wrongTotal.next()).toMatchObject({ type: 'have', offset: 2 });
  const { device: wrongBytes } = await relay.meet();
  const changed = sealed.with(40, sealed[40]! ^ 1);
  expect(await wrongBytes.give(id, changed, { to: 50 })).toMatchObject([{ type: 'have', offset: 50 }]);
  const { device: watch } = await relay.meet();
  expect(await watch.give(id, sealed, { to: 100 })).toMatchObject([{ type: 'have', offset: 100 }]);
  expect(await wrongBytes.give(id, changed, { from: 50, to: 60 })).toMatchObject([{ type: 'have', offset: 60 }]);
  expect(await watch.give(id, sealed, { from: 100 })).toMatchObject([{ type: 'have', offset: total }]);
  expect(await relay.carrying()).toMatchObject({ messages: 1, bytes: total });
  relay.net.online = true;
  await relay.phone.sync();
  await watch.answer();
  expect(await relay.runCount()).toBe(1);
});

test('[RELAY-84] a device gives all of its message when what an earlier session began turns out to be other bytes', async () => {
  const relay = await relayOf(server);
  const { id, sealed } = await relay.sealPush();
  const { device: liar, ended } = await relay.meet();
  // The liar knows the beginning.
  const changed = sealed.with(40, sealed[40]! ^ 1);
  await liar.give(id, changed, { to: 50 });
  await liar.leave();
  await ended;
  const { device: watch } = await relay.meet();
  expect(await watch.give(id, sealed, { to: 30 })).toMatchObject([{ type: 'have', offset: 50 }]);
  expect(await watch.give(id, sealed, { from: 50 })).toMatchObject([{ type: 'have', offset: 0 }]);
  expect(await watch.give(id, sealed)).toMatchObject([{ type: 'have', offset: sealed.length }]);
});

test('[RELAY-84] a device goes on with nothing that an earlier session began with other bytes or another length', async () => {
  const relay = await relayOf(server);
  const { id, sealed } = await relay.sealPush();
  for (const total of [sealed.length, 60]) {
    const { device: liar, ended } = await relay.meet();
    await liar.send({ type: 'give', id, total, offset: 0, bytes: sealed.with(40, sealed[40]! ^ 1).slice(0, 50) });
    expect(await liar.next()).toMatchObject({ type: 'have', offset: 50 });
    await liar.leave();
    await ended;
  }
  const { device: watch } = await relay.meet();
  expect(await watch.give(id, sealed)).toMatchObject([{ type: 'have', offset: sealed.length }]);
});

test('[RELAY-25] a device that begins a message anew with another length brings no more than before', async () => {
  const relay = await relayOf(server);
  const id = '01'.repeat(16);
  const giveFirst = async (total: number) => {
    const { device } = await relay.meet();
    await device.send({ type: 'give', id, total: 100, offset: 0, bytes: new Uint8Array(1) });
    expect(await device.next()).toMatchObject({ type: 'have', offset: 1 });
    await device.send({ type: 'give', id, total, offset: 0, bytes: new Uint8Array(2) });
    return { device, word: await device.next() };
  };
  expect((await giveFirst(1_088 * 1024 + 1)).word).toEqual({ type: 'bye', code: 'full' });
  const { device } = await giveFirst(1024 * 1024);
  const words: unknown[] = [];
  for (let lesser = 1; lesser < 5; lesser++) {
    await device.send({ type: 'give', id, total: 1024 * 1024 - lesser, offset: 0, bytes: new Uint8Array(2) });
    words.push((await device.next())?.type);
  }
  expect(words).toEqual(['have', 'have', 'have', 'bye']);
});

test('[RELAY-83] a phone forgets no answer of which it has sent only a part', async () => {
  const relay = await relayOf(server);
  const { id, sealed } = await relay.sealPush();
  const { device, ended } = await relay.meet(unbufferedChannel());
  relay.net.answers('relay', () => sealedResponse(new Uint8Array(200_000)));
  relay.net.online = true;
  await device.give(id, sealed);
  expect(await device.next()).toMatchObject({ type: 'answer', offset: 0 });
  await device.send({ type: 'kept', id });
  await device.vanish();
  await ended;
  const { device: later } = await relay.meet();
  await later.send({ type: 'have', id, offset: 0 });
  expect((await later.answer()).bytes).toHaveLength(200_000);
});

test('[RELAY-87] an answer that was made anew reaches its device, also if it is shorter', async () => {
  const relay = await relayOf(server);
  const { id, sealed } = await relay.sealPush();
  const { device: watch } = await relay.meet();
  let length = 300;
  relay.net.answers('relay', () => sealedResponse(crypto.getRandomValues(new Uint8Array(length))));
  relay.net.online = true;
  const lengths: number[] = [];
  for (length of [300, 100, 100]) {
    await watch.give(id, sealed);
    lengths.push((await watch.answer()).bytes.length);
    await watch.send({ type: 'kept', id });
    await expect.poll(relay.carrying).toMatchObject({ messages: 0 });
  }
  expect(lengths).toEqual([300, 100, 100]);

  await watch.give(id, sealed);
  await watch.answer();
  // A device that has more of an earlier answer, and one that begins anew.
  for (const offset of [150, 0]) {
    const { device: later } = await relay.meet();
    await later.send({ type: 'have', id, offset });
    expect((await later.answer()).bytes).toHaveLength(100);
    await later.send({ type: 'have', id, offset: 0 });
    expect((await later.answer()).bytes).toHaveLength(100);
  }
});

test('[RELAY-88] a phone ends the channel of a device that sends 2,000 small frames in a minute, also such as it does not know', async () => {
  const relay = await relayOf(server);
  const unknown = concat(uint32(1), Uint8Array.of(200));
  const ask = encodeFrame({ type: 'have', id: '00'.repeat(16), offset: 0 });
  for (const frame of [unknown, ask]) {
    // Node's streams throw when one side stops reading while bytes flow.
    const { device, ended } = await relay.meet(channelKinds['two message ports']!());
    const { id, sealed } = await relay.sealPush();
    for (let count = 0; count < 1_900; count++) await device.sendBytes(frame);
    expect(await device.give(id, sealed, { to: 1 })).toMatchObject([{ type: 'have', offset: 1 }]);
    for (let count = 0; count < 200; count++) await device.sendBytes(frame).catch(() => undefined);
    await ended;
  }
});

test('[RELAY-89] the parts of a message share rows', async () => {
  const storage = memoryStorage();
  const name = `phone-${randomUUID()}`;
  const relay = await relayOf(server, { storage, name });
  const [{ id, sealed }, whole] = [await relay.sealPush(), await relay.sealPush()];
  const { device: watch } = await relay.meet();
  await watch.give(whole.id, whole.sealed, { partBytes: 100 });
  await watch.give(id, sealed, { to: 300, partBytes: 1 });
  expect(await watch.give(id, sealed, { from: 300, to: 400 })).toMatchObject([{ offset: 400 }]);
  await relay.phone.close();
  const clock = { schedule: () => () => {}, wallMs: Date.now };
  const tables = await openDeviceTables({ name, storage, clock });
  const rows = await (await openCarriedTable(tables, clock.schedule)).readAll();
  await tables.close();
  expect(rows.map(([, { kind }]) => kind).toSorted()).toEqual(['message', 'message', 'part', 'part']);
});
