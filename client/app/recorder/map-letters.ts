/** Finds maps by the first letter of their names, which a watch shows as buttons, or by a part of the name. */
import type { MapRecord } from '../../client.ts';
import { locale } from '../text/language.ts';

/** The button of the maps whose names do not begin with a letter. */
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
export function mapsWithText<Item extends Pick<MapRecord, 'name'>>(maps: readonly Item[], text: string): Item[] {
  const sought = plainText(text);
  return maps
    .filter(({ name }) => plainText(name).includes(sought))
    .toSorted((a, b) => collator.compare(a.name, b.name));
}

const plainText = (text: string): string =>
  text
    .trim()
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLocaleLowerCase(locale);
