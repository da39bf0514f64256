/** Holds the promises of SPEC.md and the names of the tests against each other, both ways. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { testNames } from './test-names.ts';

export interface Sources {
  /** Lines of promises: `- **OUTBOX-3** A rejected mutation lets the later ones go on.` */
  spec: string;
  /** Tests carry the ID in brackets, several if they hold several: `[OUTBOX-3] [OUTBOX-4] ...`. */
  tests: { path: string; source: string }[];
}

/** What does not match; empty when all is well. */
export function specProblems({ spec, tests }: Sources): string[] {
  const promised = spec.split('\n').filter((line) => line.startsWith('- **'));
  const ids = promised.map((line) => promise.exec(line)?.[1]);
  const held = tests.flatMap(({ path, source }) =>
    testNames(path, source).flatMap((name) => [...name.matchAll(carried)].map(([, id]) => ({ id, path }))),
  );
  return [
    ...promised.filter((_, index) => !ids[index]).map((line) => `SPEC.md: no ID in "${line}"`),
    ...ids.filter((id, index) => id && ids.indexOf(id) < index).map((id) => `SPEC.md: ${id} stands there twice`),
    ...ids.filter((id) => id && !held.some((test) => test.id === id)).map((id) => `SPEC.md: no test carries [${id}]`),
    ...held.filter(({ id }) => !ids.includes(id)).map(({ id, path }) => `${path}: [${id}] is not in SPEC.md`),
  ];
}

const id = '[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\\d+';
const promise = new RegExp(`^- \\*\\*(${id})\\*\\* \\S`);
const carried = new RegExp(`\\[(${id})\\]`, 'g');

const folders = ['client', 'server', 'shared', 'test'];

export async function readSources(root: string): Promise<Sources> {
  const found = await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })));
  const paths = found.flatMap((names, index) => names.map((name) => join(folders[index] ?? '', name)));
  const sources = paths.filter((path) => /\.tsx?$/.test(path)).toSorted();
  return {
    spec: await readFile(join(root, 'SPEC.md'), 'utf8'),
    tests: await Promise.all(sources.map(async (path) => ({ path, source: await readFile(join(root, path), 'utf8') }))),
  };
}

if (process.argv[1] === import.meta.filename) {
  const problems = specProblems(await readSources(resolve(import.meta.dirname, '../..')));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
