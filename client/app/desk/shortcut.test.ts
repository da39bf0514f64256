import { expect, test } from 'vitest';
import { shortcutOf, type Shortcut } from './shortcut.ts';

const press = { key: '', ctrlKey: false, metaKey: false, altKey: false };
const reading = { isTyping: false, hasSingleKeys: true };

test.each<[Partial<typeof press>, Shortcut | undefined]>([
  [{ key: 'j' }, 'next'],
  [{ key: 'K' }, 'previous'],
  [{ key: 'a' }, 'mark-all'],
  [{ key: 'a', ctrlKey: true }, undefined],
  [{ key: '?' }, 'help'],
  [{ key: '/' }, 'search'],
  [{ key: 'k', metaKey: true }, 'search'],
  [{ key: 'k', ctrlKey: true }, 'search'],
  [{ key: 'p', ctrlKey: true }, 'print'],
  [{ key: 'c', ctrlKey: true }, undefined],
  [{ key: 'r', metaKey: true }, undefined],
  [{ key: 'x', altKey: true }, undefined],
  [{ key: 'Escape' }, 'close'],
  [{ key: 'y' }, undefined],
])('[APP-214] %j is %s', (keys, shortcut) => {
  expect(shortcutOf({ ...press, ...keys }, reading)).toBe(shortcut);
});

test('[APP-214] a person who types, or turned single keys off, triggers only Escape and keys with Ctrl', () => {
  for (const state of [
    { ...reading, isTyping: true },
    { ...reading, hasSingleKeys: false },
  ]) {
    expect(shortcutOf({ ...press, key: 'j' }, state)).toBeUndefined();
    expect(shortcutOf({ ...press, key: '/' }, state)).toBeUndefined();
    expect(shortcutOf({ ...press, key: 'k', ctrlKey: true }, state)).toBe('search');
    expect(shortcutOf({ ...press, key: 'Escape' }, state)).toBe('close');
  }
});
