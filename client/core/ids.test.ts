import { validate, version } from 'uuid';
import { expect, onTestFinished, test, vi } from 'vitest';
import { randomIds } from './ids.ts';

test('[DEVICE-19] the ids of maps are UUIDs of version 7 in the order of their times, and no two are the same', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const times = [0, 1, 1_764_000_000_000, 1_764_000_000_001, 2 ** 48 - 1];
  const ids = times.map((time) => {
    vi.setSystemTime(time);
    return randomIds.mapId();
  });
  expect(ids.filter((id) => !validate(id) || version(id) !== 7)).toEqual([]);
  expect(ids.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))).toEqual(times);
  expect(ids.toSorted()).toEqual(ids);
  expect(randomIds.mapId()).not.toBe(randomIds.mapId());
});
