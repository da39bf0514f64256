import { expect, test } from 'vitest';
import { RowCache, tombstonesMax, type ListenerStage } from './row-cache.ts';

const row = (id: string, revision: number, body: string | null = 'here') => ({ id, revision, body });

test('[STORAGE-76] the memory of a table knows the last 5,000 removed rows, and no more', () => {
  const cache = new RowCache<string>();
  for (let index = 0; index <= tombstonesMax; index++) {
    cache.update([row(String(index), 1)]);
    cache.update([row(String(index), 2, null)]);
  }
  expect(cache.tombstoneCount).toBe(tombstonesMax);
  expect(cache.tombstoneOf('0')).toBeUndefined();
  // A late event brings a revision from before the removal.
  cache.update([row(String(tombstonesMax), 1)]);
  expect(cache.ids).toEqual([]);
});

test('[STORAGE-77] an index hears of a write before what derives from it, and observers come last, whoever listened first', () => {
  const cache = new RowCache<string>();
  const heard: ListenerStage[] = [];
  for (const stage of ['observer', 'derived', 'index'] as const) cache.onWrite(stage, () => void heard.push(stage));
  cache.update([row('a', 1)]);
  cache.update([], ['a']);
  expect(heard).toEqual(['index', 'derived', 'observer', 'index', 'derived', 'observer']);
});

test('[STORAGE-69] a row that was removed and purged does not come back by a late event', () => {
  const cache = new RowCache<string>();
  cache.update([row('a', 2)]);
  cache.update([], ['a']);
  cache.update([row('a', 1), row('a', 2)]);
  expect(cache.get('a')).toBeUndefined();
  cache.update([row('a', 3, 'again')]);
  expect(cache.get('a')).toBe('again');
});
