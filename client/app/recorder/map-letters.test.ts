import { expect, test } from 'vitest';
import { letterOf, mapsByLetter, findMapsByName } from './map-letters.ts';

test('[APP-271] maps stand under their first letters, without accents, and other names come last', () => {
  const names = ['press 10', ' Äpfel', '7 screws', 'Press 9', 'anvil', 'Ölen', '新しい', '', '(old) saw'];
  const groups = mapsByLetter(names.map((name) => ({ name })));
  expect(groups.map(([letter, maps]) => [letter, maps.map(({ name }) => name)])).toEqual([
    ['A', [' Äpfel', 'anvil']],
    ['O', ['Ölen']],
    ['P', ['Press 9', 'press 10']],
    ['新', ['新しい']],
    ['#', ['', '(old) saw', '7 screws']],
  ]);
  expect(letterOf('ßa')).toBe('S');
});

test('[APP-438] maps are found by a part of their names, without regard to case and accents', () => {
  const maps = ['Press 10', 'Ölpresse', 'Press 9', 'Saw', 'Ofen'].map((name) => ({ name }));
  const found = (text: string) => findMapsByName(maps, text).map(({ name }) => name);
  expect(found(' press')).toEqual(['Ölpresse', 'Press 9', 'Press 10']);
  expect(found('olp')).toEqual(['Ölpresse']);
  expect(found('lathe')).toEqual([]);
});
