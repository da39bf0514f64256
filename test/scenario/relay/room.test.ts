/** A phone that carries has room for some messages. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCarriedTable } from '../../../client/relay/carried-table.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { messageIdOf, partBytesMax } from '../../../shared/relay/frames.ts';
import { memoryStorage } from '../../device/devices.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { relayOf } from './carrying-phone.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

const mebibyte = 1024 * 1024;

async function wholeMessage(bytes: number) {
  const sealed = new Uint8Array(bytes);
  crypto.getRandomValues(sealed.subarray(0, Math.min(bytes, 16)));
  return { sealed, id: await messageIdOf(sealed) };
}

type MeetingDevice = Awaited<ReturnType<Awaited<ReturnType<typeof relayOf>>['meet']>>['device'];

/** Gives a message, and returns the last word on it. */
async function giveWhole(watch: MeetingDevice, bytes: number) {
  const { id, sealed } = await wholeMessage(bytes);
  for (let offset = 0; ;) {
    const part = sealed.slice(offset, offset + partBytesMax);
    await watch.send({ type: 'give', id, total: bytes, offset, bytes: part });
    const word = await watch.next();
    if (word?.type !== 'have' || word.offset === bytes) return word;
    offset = word.offset;
  }
}

/** Gives the first byte of a message alone. */
async function begin(watch: MeetingDevice, total: number) {
  const id = randomUUID().replaceAll('-', '');
  await watch.send({ type: 'give', id, total, offset: 0, bytes: new Uint8Array([1]) });
  return { id, word: await watch.next() };
}

test('[RELAY-25] a phone takes 4 MiB of new messages in a session, 64 messages and 16 MiB, and never drops an undelivered one for a new one', async () => {
  const relay = await relayOf(server);
  const answered = await relay.sealPush();
  const first = await relay.meet();
  await first.device.give(answered.id, answered.sealed);
  relay.net.online = true;
  await relay.phone.sync();
  await first.device.answer();
  relay.net.online = false;
  for (let session = 0; session < 4; session++) {
    const { device: watch } = await relay.meet();
    for (let count = 0; count < 4; count++) expect(await giveWhole(watch, mebibyte)).toMatchObject({ type: 'have' });
    expect(await giveWhole(watch, mebibyte)).toEqual({ type: 'bye', code: 'full' });
  }
  expect(await relay.carrying()).toMatchObject({ messages: 17 });
  const { device: late } = await relay.meet();
  expect(await giveWhole(late, 1)).toEqual({ type: 'bye', code: 'full' });

  const other = await relayOf(server);
  const gone = await other.sealPush();
  const { device: many } = await other.meet();
  await many.give(gone.id, gone.sealed);
  other.net.online = true;
  await other.phone.sync();
  await many.answer();
  other.net.online = false;
  // The answered message goes for the last of the new ones.
  for (let count = 0; count < 64; count++) expect(await giveWhole(many, 10)).toMatchObject({ type: 'have' });
  expect(await other.carrying()).toMatchObject({ messages: 64, bytes: 640 });
  expect(await giveWhole(many, 10)).toEqual({ type: 'bye', code: 'full' });
  const { device: large } = await (await relayOf(server)).meet();
  expect(await giveWhole(large, 1_088 * 1024 + 1)).toEqual({ type: 'bye', code: 'full' });
});

test('[RELAY-48] devices that begin messages and end none take no room from others', async () => {
  let now = Date.now();
  const relay = await relayOf(server, { clock: { schedule: () => () => {}, wallMs: () => now } });
  const begun: { watch: MeetingDevice; id: string }[] = [];
  for (let session = 0; session < 30; session++) {
    const { device: watch } = await relay.meet();
    for (let count = 0; count < 3; count++) {
      now += 1_000;
      const { id, word } = await begin(watch, mebibyte);
      expect(word).toMatchObject({ type: 'have', offset: 1 });
      begun.push({ watch, id });
    }
  }
  expect(await relay.carrying()).toMatchObject({ messages: 0, bytes: 0 });
  const { device: honest } = await relay.meet();
  for (let count = 0; count < 4; count++) expect(await giveWhole(honest, mebibyte)).toMatchObject({ type: 'have' });
  expect(await relay.carrying()).toMatchObject({ messages: 4, bytes: 4 * mebibyte });

  const offsetOf = async (id: string) => {
    const { device: watch } = await relay.meet();
    await watch.send({ type: 'give', id, total: mebibyte, offset: 5, bytes: new Uint8Array([1]) });
    const word = await watch.next();
    return word?.type === 'have' ? word.offset : word;
  };
  // 16 of them are kept, and the one that was given last is the last to go.
  expect(await offsetOf(begun.at(-1)!.id)).toBe(1);
  expect(await offsetOf(begun[0]!.id)).toBe(0);
  now += 25 * 3_600_000;
  expect(await begin(honest, 10)).toMatchObject({ word: { type: 'bye', code: 'full' } });
  const { device: later } = await relay.meet();
  await begin(later, 10);
  expect(await offsetOf(begun.at(-1)!.id)).toBe(0);
});

test('[RELAY-48] what is still being received has 4 MiB in all', async () => {
  const storage = memoryStorage();
  const name = `phone-${randomUUID()}`;
  const relay = await relayOf(server, { storage, name });
  for (let session = 0; session < 6; session++) {
    const { device: watch } = await relay.meet();
    const { id, sealed } = await wholeMessage(mebibyte);
    await watch.give(id, sealed, { to: mebibyte - 1 });
  }
  await relay.phone.close();
  const clock = { schedule: () => () => {}, wallMs: Date.now };
  const tables = await openDeviceTables({ name, storage, clock });
  const rows = await (await openCarriedTable(tables, clock.schedule)).readAll();
  await tables.close();
  const stored = rows.reduce((sum, [, body]) => sum + (body.kind === 'part' ? (body.bytes.length * 3) / 4 : 0), 0);
  expect(stored).toBeGreaterThan(3 * mebibyte);
  expect(stored).toBeLessThan(4 * mebibyte + 4_096);
});

test('[RELAY-102] what a device is giving goes for nothing that another one begins, unless it has more', async () => {
  const relay = await relayOf(server);
  const { id, sealed } = await wholeMessage(mebibyte);
  const { device: honest } = await relay.meet();
  await honest.give(id, sealed, { to: 600 });
  for (let session = 0; session < 6; session++) {
    const { device: hostile } = await relay.meet();
    for (let count = 0; count < 4; count++) expect((await begin(hostile, mebibyte)).word).toMatchObject({ offset: 1 });
  }
  expect(await honest.give(id, sealed, { from: 600, to: 700 })).toMatchObject([{ type: 'have', offset: 700 }]);
});
