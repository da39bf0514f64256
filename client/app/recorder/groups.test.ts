import { expect, test } from 'vitest';
import { groupIndexOf, splitIntoGroups, matchesSearch } from './groups.ts';

test('[APP-369] a list is divided into groups of 50', () => {
  const items = Array.from({ length: 120 }, (_, index) => index);
  expect(splitIntoGroups(items).map((group) => [group[0], group.at(-1)])).toEqual([
    [0, 49],
    [50, 99],
    [100, 119],
  ]);
  expect([0, 49, 50, 119].map(groupIndexOf)).toEqual([0, 0, 1, 2]);
  expect(splitIntoGroups([])).toEqual([]);
});

test('[APP-369] a search finds parts of names in any case, and numbers as a whole', () => {
  const press = { name: 'Press 7', position: 512 };
  expect(['press', ' ESS 7 ', '512', '7'].map((query) => matchesSearch(press, query))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['51', 'load'].map((query) => matchesSearch(press, query))).toEqual([false, false]);
});
