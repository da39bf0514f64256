import { expect, test } from 'vitest';
import { OwnWork } from './own-work.ts';

test('[RELAY-81] own work goes first while it moves, and for a minute when it does not', () => {
  const state = { first: undefined as string | undefined, isBlocked: false, now: 0 };
  const work = new OwnWork({ first: () => state.first, isBlocked: () => state.isBlocked, now: () => state.now });
  const goesFirst = (change: Partial<typeof state>) => {
    Object.assign(state, change);
    return work.goesFirst;
  };
  expect(goesFirst({})).toBe(false);
  expect(goesFirst({ first: '1' })).toBe(true);
  expect(goesFirst({ now: 59_999 })).toBe(true);
  expect(goesFirst({ first: '2' })).toBe(true);
  expect(goesFirst({ now: 119_998 })).toBe(true);
  expect(goesFirst({ now: 119_999 })).toBe(false);
  expect(goesFirst({ first: undefined })).toBe(false);
  expect(goesFirst({ first: '3' })).toBe(true);
  expect(goesFirst({ isBlocked: true })).toBe(false);
});
