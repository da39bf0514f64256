/** Chooses the language of a page by `Accept-Language` (RFC 9110, 12.5.4). */
import { parseWeightedValues } from './weighted-values.ts';

/** Returns the language that the browser prefers, or the first of `languages` if the browser accepts none of them. */
export function preferredLanguage<Language extends string>(
  languages: readonly [Language, ...Language[]],
  acceptLanguage: string | undefined,
): Language {
  const ranges = parseWeightedValues(acceptLanguage ?? '').filter(({ weight }) => weight > 0);
  // The sort is stable, so the first of two ranges with the same weight counts.
  for (const { value } of ranges.toSorted((a, b) => b.weight - a.weight)) {
    const [subtag] = value.split('-');
    const language = languages.find((name) => name === subtag);
    if (language) return language;
  }
  return languages[0];
}
