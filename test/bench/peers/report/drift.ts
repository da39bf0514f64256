/** Checks that the report, its pictures and the README state the figures of `docs/benchmarks.json`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmarks } from './figures.ts';
import { renderReadme, renderReport } from './render.ts';
import { figuresFile, readBenchmarks } from './report-files.ts';

export async function allBenchmarkProblems(root: string): Promise<string[]> {
  const benchmarks = await readBenchmarks(root);
  const paths = ['README.md', ...(await renderReport(benchmarks)).keys()];
  const texts = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(root, path), 'utf8').catch(() => '')] as const),
  );
  return benchmarkProblems(benchmarks, new Map(texts));
}

/** Lists the files whose text is not made from the figures. `files` has all that the report consists of. */
export async function benchmarkProblems(benchmarks: Benchmarks, files: Map<string, string>): Promise<string[]> {
  const readme = files.get('README.md') ?? '';
  const made = (await renderReport(benchmarks)).set('README.md', await renderReadme(readme, benchmarks));
  return [...made]
    .filter(([path, text]) => files.get(path) !== text)
    .map(([path]) => `${path}: is not what ${figuresFile} says; run \`npm run bench -- peers --report\``);
}
