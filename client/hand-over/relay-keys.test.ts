import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../test/device/devices.ts';
import { toBase64url } from '../../shared/relay/base64url.ts';
import { aeadIds, encodeKeyList } from '../../shared/relay/key-list.ts';
import { keyListMediaType } from '../../shared/relay/media-types.ts';
import { openDeviceTables } from '../storage/device-tables.ts';
import { openHandOverTable } from './hand-over-table.ts';
import { RelayKeys } from './relay-keys.ts';

const listOf = (id: number) =>
  encodeKeyList([{ id, kem: 'x25519', bytes: new Uint8Array(32).fill(id), aeads: aeadIds }]);
const hour = (hours: number) => new Date(Date.UTC(2026, 10, 26, hours));

/** A device whose server lists one key, and the hours of both clocks. */
async function deviceAndServer() {
  const now = { device: 0, server: 0, key: 1, questions: 0 };
  const clock = { schedule: () => () => {}, wallMs: () => hour(now.device).getTime() };
  const tables = await openDeviceTables({ name: `watch-${crypto.randomUUID()}`, storage: memoryStorage(), clock });
  onTestFinished(() => tables.close());
  const table = await openHandOverTable(tables, clock.schedule);
  const headers = () => ({ 'Content-Type': keyListMediaType, Date: hour(now.server).toUTCString() });
  const fetch = async () => {
    now.questions++;
    return new Response(listOf(now.key), { headers: headers() });
  };
  const keys = new RelayKeys({ table, url: 'http://server', fetch, clock });
  /** Brings the list of a sealed answer that the server made at the hour. */
  const answer = (id: number, hours: number) => {
    const fields = { 'gemba-relay-keys': toBase64url(listOf(id)), date: hour(hours).toUTCString() };
    return keys.rememberAnswered(new Headers(fields));
  };
  return { now, keys, answer, ids: () => keys.known.map(({ id }) => id) };
}

test('[RELAY-75] a sealed answer brings keys only if the server made it after the list that the device has', async () => {
  const { now, keys, answer, ids } = await deviceAndServer();
  Object.assign(now, { server: 5, key: 3 });
  await keys.refresh();
  await answer(2, 4);
  expect(ids()).toEqual([3]);
  await answer(2, 5);
  expect(ids()).toEqual([3]);
  await answer(4, 6);
  expect(ids()).toEqual([4]);
  await answer(3, 5);
  expect(ids()).toEqual([4]);
});

test('[RELAY-75] an answer without a time brings no keys, and neither does any before the server told its time', async () => {
  const { keys, answer, ids } = await deviceAndServer();
  await keys.remember(toBase64url(listOf(1)));
  await answer(2, 6);
  expect(ids()).toEqual([1]);
  await keys.refresh();
  await keys.rememberAnswered(new Headers({ 'gemba-relay-keys': toBase64url(listOf(2)) }));
  expect(ids()).toEqual([1]);
});

test('[RELAY-76] a device asks for the keys after a pairing and once a day, whatever answers bring meanwhile', async () => {
  const { now, keys, answer, ids } = await deviceAndServer();
  await keys.remember(toBase64url(listOf(1)));
  await keys.refresh();
  await keys.refresh();
  expect(now.questions).toBe(1);
  Object.assign(now, { device: 20, server: 25, key: 3 });
  await answer(2, 20);
  now.device = 24;
  await keys.refresh();
  expect([now.questions, ids()]).toEqual([2, [3]]);
});

test('[RELAY-76] a device whose clock was ahead when it asked for the keys asks again', async () => {
  const { now, keys, ids } = await deviceAndServer();
  now.device = 9_000;
  await keys.refresh();
  Object.assign(now, { device: 1, key: 2 });
  await keys.refresh();
  expect([now.questions, ids()]).toEqual([2, [2]]);
});
