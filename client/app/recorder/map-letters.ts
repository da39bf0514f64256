/** Finds maps by a part of the name, or by its first letter. A watch shows a button for each first letter. */
import type { MapRecord } from '../../client.ts';
import { locale } from '../text/language.ts';

/** Stands for all names that do not begin with a letter. */
export const noLetter = '#';

const collator = new Intl.Collator(locale, { numeric: true });
const letterPattern = /^\p{Letter}$/u;

/** Returns the first letter of the name as a capital without accents: A for Ä and for a. */
export function letterOf(name: string): string {
  const [first = ''] = name.trim().normalize('NFD');
  const [letter = ''] = first.toLocaleUpperCase(locale);
  return letterPattern.test(letter) ? letter : noLetter;
}

/**
 * Returns the maps of each letter, sorted by name. The letters are in alphabetical order, and `noLetter` comes last.
 */
export function mapsByLetter<Item extends Pick<MapRecord, 'name'>>(maps: readonly Item[]): [string, Item[]][] {
  const groups = new Map<string, Item[]>();
  for (const map of maps.toSorted((a, b) => collator.compare(a.name, b.name))) {
    const letter = letterOf(map.name);
    const group = groups.get(letter);
    if (group) group.push(map);
    else groups.set(letter, [map]);
  }
  const isOther = (letter: string) => Number(letter === noLetter);
  return [...groups].toSorted(([a], [b]) => isOther(a) - isOther(b) || collator.compare(a, b));
}

/** Returns the maps whose names contain the text, without regard to case and accents, sorted by name. */
export function findMapsByName<Item extends Pick<MapRecord, 'name'>>(maps: readonly Item[], text: string): Item[] {
  const sought = toSearchText(text);
  return maps
    .filter(({ name }) => toSearchText(name).includes(sought))
    .toSorted((a, b) => collator.compare(a.name, b.name));
}

const toSearchText = (text: string): string =>
  text
    .trim()
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLocaleLowerCase(locale);
