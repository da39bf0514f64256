/** The report on the disk: adds the parts of a run to `docs/benchmarks.json` and makes all else from it. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatted } from '../../../../tools/formatted.ts';
import type { Benchmarks } from './figures.ts';
import { renderReadme, renderReport } from './render.ts';

export const figuresFile = 'docs/benchmarks.json';

export async function readBenchmarks(root: string): Promise<Benchmarks> {
  const file = join(root, figuresFile);
  if (!existsSync(file)) return { versions: {}, parts: {} };
  return JSON.parse(await readFile(file, 'utf8')) as Benchmarks;
}

/** Parts that this run did not measure stay as they are. The parts come in the given order. */
export async function writeReport(root: string, measured: Benchmarks, order: string[]): Promise<void> {
  const before = await readBenchmarks(root);
  const all = { ...before.parts, ...measured.parts };
  const parts = Object.fromEntries(order.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
  const benchmarks: Benchmarks = { versions: measured.versions, parts };
  await writeFile(join(root, figuresFile), await formatted('benchmarks.json', JSON.stringify(benchmarks)));
  await renderFiles(root, benchmarks);
}

export async function renderFiles(root: string, benchmarks: Benchmarks): Promise<void> {
  const files = await renderReport(benchmarks);
  for (const stray of await strayPictures(root, files)) await rm(join(root, stray));
  for (const [path, text] of files) await writeFile(join(root, path), text);
  const readme = join(root, 'README.md');
  await writeFile(readme, await renderReadme(await readFile(readme, 'utf8'), benchmarks));
}

async function strayPictures(root: string, files: Map<string, string>): Promise<string[]> {
  const names = await readdir(join(root, 'docs/pictures'));
  const own = names.filter((name) => name.startsWith('benchmark-')).map((name) => `docs/pictures/${name}`);
  return own.filter((path) => !files.has(path));
}
