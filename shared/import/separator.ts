/**
 * Finds the character that separates the cells of a file. If the first line does not name the character, it is the most
 * frequent of the possible characters in the first line.
 */
import type { ImportErrorInfo } from './error-list.ts';
import { withoutUnstorable } from './unstorable.ts';

type Separator = { ok: true; delimiter: string; isNamed: boolean } | { ok: false; error: ImportErrorInfo };

/**
 * Returns the separator. `isNamed` is true if the first line, such as `sep=;`, names the separator for Excel and is no
 * header.
 */
export function separatorOf(text: string): Separator {
  const [, named] = /^"?sep=([^\r\n]?)"?\1*(?:[\r\n]|$)/i.exec(text) ?? [];
  if (named === undefined) return { ok: true, delimiter: mostFrequentDelimiter(text), isNamed: false };
  if (namedDelimiters.includes(named)) return { ok: true, delimiter: named, isNamed: true };
  return { ok: false, error: { code: 'separator_unknown', params: { separator: withoutUnstorable(named) } } };
}

/** Returns the most frequent delimiter of the first line, outside of quoted cells. */
function mostFrequentDelimiter(text: string): string {
  const firstLine = /[^\r\n]+|$/
    .exec(text)![0]
    .slice(0, headerLengthMax)
    .replace(/"[^"]*"/g, '');
  const counts = delimiters.map((delimiter) => firstLine.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}

const headerLengthMax = 100_000;
const delimiters = [',', ';', '\t'];
const namedDelimiters = [...delimiters, '|'];
