/** Checks that every promise of docs/spec/ has a test and that every ID in a test is promised. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readChapter, type PromisedId, type Text } from './spec-chapter.ts';
import { testNames } from './test-names.ts';

export interface Sources {
  /** SPEC.md, which links to every chapter. */
  index: string;
  /** A line of a chapter is a promise: `- **OUTBOX-3** A rejected mutation lets the later ones go on.` */
  chapters: Text[];
  /** A test carries each ID that it holds in brackets: `[OUTBOX-3] [OUTBOX-4] ...`. */
  tests: Text[];
}

/** Lists each problem with its file; empty if there is none. */
export function specProblems({ index, chapters, tests }: Sources): string[] {
  const read = chapters.map((text) => readChapter(text));
  const promised = read.flatMap((chapter) => chapter.promised);
  const retired = read.flatMap((chapter) => chapter.retired);
  // Most files hold no ID at all, and a syntax tree of each would take seconds.
  const held = tests
    .filter(({ source }) => source.search(carried) >= 0)
    .flatMap(({ path, source }) =>
      testNames(path, source).flatMap((name) => [...name.matchAll(carried)].map(([, id = '']) => ({ id, path }))),
    );
  const ids = new Set(promised.map(({ id }) => id));
  const retiredIds = new Set(retired.map(({ id }) => id));
  const heldIds = new Set(held.map(({ id }) => id));
  return [
    ...chapters
      .filter(({ path }) => !index.includes(`](${path})`))
      .map(({ path }) => `SPEC.md: no link to the chapter ${path}`),
    ...read.flatMap((chapter) => chapter.problems),
    ...numberingProblems([...promised, ...retired]),
    ...promised.filter(({ id }) => !heldIds.has(id)).map(({ id, path }) => `${path}: no test carries [${id}]`),
    ...held
      .filter(({ id }) => !ids.has(id))
      .map(({ id, path }) => `${path}: [${id}] is ${retiredIds.has(id) ? 'retired' : 'not promised in docs/spec/'}`),
  ];
}

const carried = /\[([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+)\]/g;

/** Checks that each prefix is in one chapter, and that each number up to the highest is promised or retired once. */
function numberingProblems(numbers: PromisedId[]): string[] {
  return [...new Set(numbers.map(({ prefix }) => prefix))].flatMap((prefix) => {
    const own = numbers.filter((one) => one.prefix === prefix);
    const [home, ...others] = new Set(own.map(({ path }) => path));
    const counts = Array<number>(Math.max(...own.map(({ number }) => number))).fill(0);
    for (const { number } of own) counts[number - 1] = (counts[number - 1] ?? 0) + 1;
    return [
      ...others.map((other) => `${other}: ${prefix} lives in ${home}`),
      ...counts.flatMap((count, index) => {
        if (count === 1) return [];
        return `${home}: ${prefix}-${index + 1} ${count === 0 ? 'is neither promised nor retired' : 'stands there twice'}`;
      }),
    ];
  });
}

const folders = ['client', 'server', 'shared', 'test'];

export async function readSources(root: string): Promise<Sources> {
  const read = async (path: string): Promise<Text> => ({ path, source: await readFile(join(root, path), 'utf8') });
  const chapters = await readdir(join(root, 'docs/spec'));
  const found = await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })));
  const paths = found.flatMap((names, index) => names.map((name) => join(folders[index] ?? '', name)));
  return {
    index: (await read('SPEC.md')).source,
    chapters: await Promise.all(chapters.toSorted().map((name) => read(join('docs/spec', name)))),
    tests: await Promise.all(
      paths
        .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
        .toSorted()
        .map(read),
    ),
  };
}

if (process.argv[1] === import.meta.filename) {
  const problems = specProblems(await readSources(resolve(import.meta.dirname, '../../..')));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
