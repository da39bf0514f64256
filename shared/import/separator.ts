/**
 * Finds the separator of a file's cells: the one that the file names, or else the most frequent one in its first line.
 */
import type { ImportErrorInfo } from './error-list.ts';
import { withoutUnstorable } from './unstorable.ts';

type Separator = { ok: true; delimiter: string; isNamed: boolean } | { ok: false; error: ImportErrorInfo };

/** Reads a first line such as `sep=;`, which tells Excel the separator and is no header. */
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
