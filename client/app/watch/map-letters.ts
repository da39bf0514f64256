/** Groups maps by the first letter of their names, for the keys of a small screen. */
import type { MapRecord } from '../../../shared/schema/map.ts';
import { locale } from '../text/language.ts';

/** Stands for names that begin with no letter. */
export const noLetter = '#';

const collator = new Intl.Collator(locale, { numeric: true });
const isLetter = /^\p{Letter}$/u;

/** Returns the first letter without its accents: Ä and a give A. */
export function letterOf(name: string): string {
  const [first = ''] = name.trim().normalize('NFD');
  const [letter = ''] = first.toLocaleUpperCase(locale);
  return isLetter.test(letter) ? letter : noLetter;
}

/** Returns the maps of each letter by name. The letters stand in the order of the language, `noLetter` last. */
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
