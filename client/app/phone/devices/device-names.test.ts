import { expect, test } from 'vitest';
import { GembaError, type PairedDevice } from '../../../client.ts';
import { distinctNamesOf, listDistinctDevices, loadRecentDeviceNames } from './device-names.ts';

const device = (id: string, name: string, day: number): PairedDevice => ({
  id,
  name,
  kind: 'wearable',
  paired_at: `2026-03-0${day}T08:00:00.000Z`,
  last_seen_at: null,
  revoked_at: null,
  is_this: false,
});
const revoked = (...args: Parameters<typeof device>): PairedDevice => ({
  ...device(...args),
  revoked_at: '2026-03-09T08:00:00.000Z',
});

test('[APP-331] devices of one name are numbered in the order of their pairing, and no number is taken twice', () => {
  const names = distinctNamesOf([
    device('e', 'Phone', 5),
    device('d', 'watch', 4),
    device('c', 'Watch', 3),
    device('b', 'Watch 2', 2),
    device('a', 'Watch', 1),
  ]);
  expect(Object.fromEntries(names)).toEqual({ a: 'Watch', b: 'Watch 2', c: 'Watch 3', d: 'watch 4', e: 'Phone' });
});

test('[APP-331] a name stays while other devices are revoked, paired again or paired under the name with its number', async () => {
  const [first, second] = [device('first', 'Line 3', 1), device('second', 'Line 3', 2)];
  const expected = { first: 'Line 3', second: 'Line 3 2' };
  for (const devices of [
    [second, first],
    [second, revoked('first', 'Line 3', 1)],
    [revoked('second', 'Line 3', 2), first],
    [second, device('first', 'Line 3', 9)],
    [device('third', 'Line 3 2', 3), second, first],
    [device('third', 'Line 3', 3), revoked('second', 'Line 3', 2), first],
  ]) {
    expect(Object.fromEntries(distinctNamesOf(devices))).toMatchObject(expected);
  }
  const listed = await listDistinctDevices({ devices: async () => [revoked('second', 'Line 3', 2), first] });
  expect(listed.map(({ name, given_name }) => [name, given_name])).toEqual([
    ['Line 3 2', 'Line 3'],
    ['Line 3', 'Line 3'],
  ]);
});

test('[APP-332] the names are requested once for all, and again after a minute or by a list of the devices', async () => {
  let requests = 0;
  const gemba = { devices: async () => [device('a', `Watch of request ${++requests}`, 1)] };
  const nameAt = async (nowMs: number) => (await loadRecentDeviceNames(gemba, nowMs)).get('a');
  expect(await Promise.all([nameAt(0), nameAt(0)])).toEqual(['Watch of request 1', 'Watch of request 1']);
  expect(await nameAt(59_999)).toBe('Watch of request 1');
  expect(await nameAt(60_000)).toBe('Watch of request 2');
  await listDistinctDevices(gemba, 70_000);
  expect(await nameAt(70_001)).toBe('Watch of request 3');
  expect(requests).toBe(3);
});

test('[APP-390] a request that failed does not count for the minute, and leaves a later one alone', async () => {
  const unreachable = new GembaError({ code: 'unreachable', detail: 'The server cannot be reached.' });
  let [requests, isOnline] = [0, false];
  const failures: (() => void)[] = [];
  const gemba = {
    devices: () => {
      requests++;
      if (isOnline) return Promise.resolve([device('a', 'Watch', 1)]);
      return new Promise<never>((_, reject) => failures.push(() => reject(unreachable)));
    },
  };
  const failed = [loadRecentDeviceNames(gemba, 0), loadRecentDeviceNames(gemba, 1)];
  expect(requests).toBe(1);
  for (const fail of failures) fail();
  for (const request of failed) await expect(request).rejects.toBe(unreachable);

  const late = listDistinctDevices(gemba, 2);
  isOnline = true;
  failures.at(-1)?.();
  await expect(late).rejects.toBe(unreachable);
  expect((await loadRecentDeviceNames(gemba, 3)).get('a')).toBe('Watch');
  expect(requests).toBe(3);

  isOnline = false;
  const overtaken = listDistinctDevices(gemba, 4);
  isOnline = true;
  await listDistinctDevices(gemba, 5);
  failures.at(-1)?.();
  await expect(overtaken).rejects.toBe(unreachable);
  expect((await loadRecentDeviceNames(gemba, 6)).get('a')).toBe('Watch');
  expect(requests).toBe(5);
});
