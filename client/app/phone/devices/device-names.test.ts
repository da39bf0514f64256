import { expect, test } from 'vitest';
import { distinctNames } from './device-names.ts';

test('[APP-331] devices of one name are numbered in the order of their pairing, and no number is taken twice', () => {
  const device = (id: string, name: string, day: number) => ({ id, name, paired_at: `2026-03-0${day}T08:00:00.000Z` });
  const names = distinctNames([
    device('d', 'watch', 4),
    device('c', 'Watch', 3),
    device('b', 'Watch 2', 2),
    device('a', 'Watch', 1),
    device('e', 'Phone', 5),
  ]);
  expect(Object.fromEntries(names)).toEqual({ a: 'Watch', b: 'Watch 2', c: 'Watch 3', d: 'watch 4', e: 'Phone' });
});
