import { expect, test } from 'vitest';
import type { MapDoc } from '../../../shared/schema/map.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { runsToDrop, type DropOptions } from './drop-runs.ts';
import { highestGap } from './load-runs.ts';
import { coversScope, needsFullPull } from './run-scope.ts';

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();
const runs = [1, 2, 3, 4, 5, 6].map(
  (number) => ({ id: number, number, map_id: 'm', created_at: day(number) }) as RunDoc,
);
const base: DropOptions['base'] = {
  runs: new Map(runs.map((run) => [run.id, run])),
  maps: new Map([['m', { last_run_number: 6 } as MapDoc]]),
};
const options: DropOptions = {
  base,
  scope: {},
  isNarrowed: false,
  needed: new Set(),
  lastSeen: () => 0,
  nowMs: Date.parse(day(6)),
};

test('[SCOPE-17] [SCOPE-18] drops what was looked at longest ago, the oldest first, and nothing that is needed', () => {
  const seen = new Map([
    [1, 9],
    [2, 3],
  ]);
  const lastSeen = ({ id }: RunDoc) => seen.get(id) ?? 0;
  const drop = (runs_max: number, more: Partial<DropOptions> = {}) =>
    runsToDrop({ ...options, scope: { runs_max }, ...more });
  expect(drop(6)).toEqual([]);
  expect(drop(4)).toEqual([1, 2]);
  expect(drop(4, { lastSeen })).toEqual([3, 4]);
  expect(drop(1, { lastSeen })).toEqual([3, 4, 5, 6, 2]);
  expect(drop(1, { lastSeen, needed: new Set([3, 5]) })).toEqual([4, 6, 2, 1]);
  expect(drop(5, { scope: { runs_max: 5, runs_per_map: 1 }, needed: new Set([1]) })).toEqual([2]);
});

test('[SCOPE-19] a narrower scope drops what is outside of it', () => {
  const narrowed = (scope: DropOptions['scope']) => runsToDrop({ ...options, scope, isNarrowed: true });
  expect(narrowed({ runs_days: 2 })).toEqual([1, 2, 3]);
  expect(narrowed({ runs_per_map: 2 })).toEqual([1, 2, 3, 4]);
  expect(narrowed({ runs_per_map: 4, runs_max: 3 })).toEqual([1, 2, 3]);
  expect(narrowed({ runs_max: 6 })).toEqual([]);
});

test('[SCOPE-19] tells a wider scope from a narrower one', () => {
  expect(coversScope({ runs_max: 5 }, { runs_max: 5, runs_days: 3 })).toBe(true);
  expect(coversScope({ runs_max: 5, runs_days: 9 }, { runs_max: 4 })).toBe(false);
  const cursor = { kind: 'cursor' as const, cursor: 'c', epoch: 'e', synced_at: null };
  const held = { ...cursor, complete: true, scope: { runs_max: 5 }, partial: true };
  expect(needsFullPull(held, { runs_max: 5 })).toBe(false);
  expect(needsFullPull(held, { runs_max: 4 })).toBe(false);
  expect(needsFullPull(held, { runs_max: 6 })).toBe(true);
  expect(needsFullPull({ ...cursor, complete: true }, { runs_max: 6 })).toBe(true);
  expect(needsFullPull({ ...held, complete: false }, { runs_max: 4 })).toBe(true);
});

test('[SCOPE-14] finds the highest numbers that are missing', () => {
  expect(highestGap(new Set([5, 4, 1]), 6)).toEqual({ before: 4, count: 2 });
  expect(highestGap(new Set([5, 4, 1]), 2)).toBeUndefined();
  expect(highestGap(new Set([3]), 6)).toEqual({ before: 6, count: 2 });
  expect(highestGap(new Set(), 3)).toEqual({ before: 3, count: 2 });
});
