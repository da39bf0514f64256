/** Reads a chapter of docs/spec/: its promises and its retired IDs. */

export interface Text {
  path: string;
  source: string;
}

/** An ID of a chapter: `OUTBOX-3` has the prefix OUTBOX and the number 3. */
export interface PromisedId {
  id: string;
  prefix: string;
  number: number;
  path: string;
}

export interface Chapter {
  promised: PromisedId[];
  retired: PromisedId[];
  problems: string[];
}

export function readChapter({ path, source }: Text): Chapter {
  const chapter: Chapter = { promised: [], retired: [], problems: [] };
  let last: PromisedId | undefined;
  for (const line of source.split('\n')) {
    if (line.startsWith('#')) last = undefined;
    if (line.startsWith('Retired')) readRetired(line, path, chapter);
    if (!line.startsWith('- ')) continue;
    const [, prefix, digits] = promise.exec(line) ?? [];
    if (!prefix || !digits) {
      chapter.problems.push(`${path}: no ID in "${line}"`);
      continue;
    }
    const promised = numbered(prefix, Number(digits), path);
    if (last?.prefix === prefix && last.number > promised.number) {
      chapter.problems.push(`${path}: ${promised.id} stands after ${last.id}`);
    }
    chapter.promised.push(promised);
    chapter.problems.push(
      ...wordingProblems(line.replace(/^- \*\*.*?\*\* /, '')).map((what) => `${path}: ${promised.id} ${what}`),
    );
    last = promised;
  }
  return chapter;
}

const promise = /^- \*\*([A-Z][A-Z0-9]*)-(\d+)\*\* \S/;

const wordsMax = 40;

/** A promise with one of these words and without a figure cannot fail. */
const vagueWords =
  /\b(brief(ly)?|cheap(ly)?|easily|fast|few|honest(ly)?|in a moment|in words|little|long|often|plain|promptly|properly|quick(ly)?|reasonabl[ey]|roughly|short(ly)?|slow(ly)?|small|soon|tiny|usually)\b/i;

function wordingProblems(text: string): string[] {
  const words = text.split(/\s+/).length;
  const [word] = vagueWords.exec(text) ?? [];
  return [
    ...(words > wordsMax ? [`has ${words} words, more than ${wordsMax}`] : []),
    ...(text.includes(';') ? ['has a semicolon: one clause an ID'] : []),
    ...(word && !/\d/.test(text) ? [`says "${word}" without a figure`] : []),
  ];
}

/** `Retired: TAP-6, TAP-12 to TAP-14` */
function readRetired(line: string, path: string, { retired, problems }: Chapter): void {
  for (const range of line.replace(/^Retired: /, '').split(', ')) {
    const [, prefix, from, prefixAgain, to] =
      /^([A-Z][A-Z0-9]*)-(\d+)(?: to ([A-Z][A-Z0-9]*)-(\d+))?$/.exec(range) ?? [];
    if (!prefix || (prefixAgain ?? prefix) !== prefix) {
      problems.push(`${path}: no retired ID in "${range}"`);
      continue;
    }
    for (let number = Number(from); number <= Number(to ?? from); number += 1) {
      retired.push(numbered(prefix, number, path));
    }
  }
}

function numbered(prefix: string, number: number, path: string): PromisedId {
  return { id: `${prefix}-${number}`, prefix, number, path };
}
