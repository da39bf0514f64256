/** Finds map names that look alike, so that people take them for the same. */
import type { ImportWarningInfo } from './error-list.ts';

interface KnownMap {
  id: string;
  name: string;
  archived: boolean;
  deleted: boolean;
}

/**
 * Returns a form that is equal for names that look alike: without differences in case, Unicode form, blanks and kinds
 * of dashes.
 */
const lookalikeForm = (name: string): string =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[\p{Dash_Punctuation}\u2043\u2212]/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns a function that warns if a new name looks like a known map or an earlier new name. */
export function similarNameFinder(
  maps: readonly KnownMap[],
): (name: string, line: number) => ImportWarningInfo | undefined {
  const byForm = new Map<string, KnownMap>();
  for (const map of maps.toSorted((a, b) => Number(a.archived) - Number(b.archived))) {
    const form = lookalikeForm(map.name);
    if (!map.deleted && !byForm.has(form)) byForm.set(form, map);
  }
  const newNames = new Map<string, { map_name: string; other_line: number }>();
  return (name, line) => {
    const form = lookalikeForm(name);
    const map = byForm.get(form);
    if (map) {
      const params = { map_name: map.name, map_id: map.id };
      return { code: map.archived ? 'map_archived_similar' : 'map_name_similar', params };
    }
    const params = newNames.get(form);
    if (params) return { code: 'new_names_similar', params };
    newNames.set(form, { map_name: name, other_line: line });
    return undefined;
  };
}
