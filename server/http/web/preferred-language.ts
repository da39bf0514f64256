/** Chooses the language of a page by `Accept-Language` (RFC 9110, 12.5.4). */

/** Returns the one of `languages` that the browser prefers. If the browser accepts none of them, returns the first. */
export function preferredLanguage<Language extends string>(
  languages: readonly [Language, ...Language[]],
  acceptLanguage: string | undefined,
): Language {
  const ranges = (acceptLanguage ?? '').split(',').map((range) => {
    const [name = '', weight = ''] = range.split(';');
    return { subtag: name.trim().toLowerCase().split('-')[0], weight: weightOf(weight) };
  });
  // The sort is stable: of two ranges of one weight the first one counts.
  for (const { subtag } of ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)) {
    const language = languages.find((name) => name === subtag);
    if (language) return language;
  }
  return languages[0];
}

function weightOf(parameter: string): number {
  const [, weight] = /^\s*q=(\d(?:\.\d{0,3})?)\s*$/i.exec(parameter) ?? [];
  return weight === undefined ? 1 : Number(weight);
}
