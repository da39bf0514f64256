/**
 * Builds the site of the documents. Eleventy makes a page of each document, and the rest stands beside them: the style, the
 * search with its records, the pictures, and the worker that keeps all of it for reading offline.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Eleventy } from '@11ty/eleventy';
import { rolldown } from 'rolldown';
import { BundledPackages } from '../package/licences.ts';
import { pageHtml } from './layout.ts';
import type { Attachments } from './links.ts';
import { setUpMarkdown } from './markdown.ts';
import { readSite, type Site } from './pages.ts';
import { searchRecords, searchRecordsScript } from './search-records.ts';
import type { SearchRecord } from './browser/search-options.ts';

const root = resolve(import.meta.dirname, '../..');

export interface BuiltSite {
  pages: number;
  bytes: number;
}

/** Replaces the folder by the site once that is built. Throws if the folder has anything but an earlier site. */
export async function buildSite(target: string): Promise<BuiltSite> {
  await expectReplaceable(target);
  const buildFolder = await makeBuildFolder(target);
  try {
    return await buildIn(buildFolder, target);
  } finally {
    await rm(buildFolder, { recursive: true, force: true });
  }
}

async function buildIn(buildFolder: string, target: string): Promise<BuiltSite> {
  const folder = join(buildFolder, 'site');
  await mkdir(folder);
  const site = readSite(root);
  const attachments: Attachments = new Map();
  const records = await writePages(site, { folder, attachments });
  await Promise.all([
    writeFile(join(folder, recordsFile), searchRecordsScript(records)),
    writeScript('search', folder),
    cp(join(import.meta.dirname, 'site.css'), join(folder, 'site.css')),
    ...[...attachments].map(([source, path]) => cp(join(root, source), join(folder, path))),
  ]);
  await writeWorker(site, folder);
  const built = { pages: site.pages.size, bytes: await bytesIn(folder) };
  await replaceFolder(target, { folder, earlier: join(buildFolder, 'earlier') });
  return built;
}

const recordsFile = 'search-records.js';

/** No build takes so long, so that an older folder is what a killed one left. */
const buildMsMax = 10 * 60_000;

/** Makes a folder of its own beside the target, so that builds at once do not mix, and removes those of builds that were killed. */
async function makeBuildFolder(target: string): Promise<string> {
  const parent = dirname(target);
  const prefix = `${basename(target)}.building-`;
  await mkdir(parent, { recursive: true });
  for (const name of (await readdir(parent)).filter((one) => one.startsWith(prefix))) {
    const path = join(parent, name);
    // Another build may have just removed its folder.
    const found = await stat(path).catch(ignoreMissing);
    if (found && Date.now() - found.mtimeMs > buildMsMax) await rm(path, { recursive: true, force: true });
  }
  return mkdtemp(join(parent, prefix));
}

/** Moves the earlier site aside before it is deleted, so that a build that is killed leaves no half of it in its place. */
async function replaceFolder(target: string, { folder, earlier }: { folder: string; earlier: string }): Promise<void> {
  await rename(target, earlier).catch(ignoreMissing);
  try {
    await rename(folder, target);
  } catch (error) {
    // Another build was quicker, and its site is as good. Otherwise the earlier one stays.
    if (existsSync(join(target, recordsFile))) return;
    await rename(earlier, target).catch(ignoreMissing);
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

async function expectReplaceable(folder: string): Promise<void> {
  const names: string[] = await readdir(folder).catch(() => []);
  if (names.length > 0 && !names.includes(recordsFile)) {
    throw new Error(`${folder} is no earlier site, and would be deleted. Give an empty folder or a new one.`);
  }
}

/** Returns the records of the search. */
async function writePages(
  site: Site,
  { folder, attachments }: { folder: string; attachments: Attachments },
): Promise<SearchRecord[]> {
  const records: SearchRecord[] = [];
  // The pages come from memory, so that the documents need no front matter, which GitHub would show.
  const input = relative(process.cwd(), import.meta.dirname);
  const sourceOf = (inputPath: string) => relative(import.meta.dirname, resolve(inputPath));
  const eleventy = new Eleventy(input, relative(process.cwd(), folder), {
    quietMode: true,
    config: (config) => {
      config.setTemplateFormats(['md']);
      // Eleventy would tell which share of its time the layout takes.
      config.benchmarkManager.get('Configuration').setMinimumThresholdPercent(100);
      config.amendLibrary('md', setUpMarkdown);
      for (const page of site.pages.values()) {
        const links = { root, site, page, attachments };
        config.addTemplate(page.source, page.markdown, { permalink: page.path, templateEngineOverride: 'md', links });
      }
      config.addTransform('page', function addLayout(content) {
        const page = site.pages.get(sourceOf(this.page.inputPath))!;
        records.push(...searchRecords(page, content));
        return pageHtml(site, page, content);
      });
    },
  });
  eleventy.disableLogger();
  await eleventy.write();
  return records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Bundles a script of the pages into one file, which pages also load from a disk. It begins with the licences of its packages. */
async function writeScript(name: string, folder: string, define: Record<string, string> = {}): Promise<void> {
  const packages = new BundledPackages();
  const bundle = await rolldown({
    input: join(import.meta.dirname, `browser/${name}.ts`),
    platform: 'browser',
    transform: { define },
    plugins: [packages.plugin],
    logLevel: 'warn',
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const licences = packages.isEmpty ? '' : `/*\n${packages.text()}*/\n`;
  await writeFile(join(folder, `${name}.js`), licences + output[0].code);
}

/** A change of any file changes the version of the worker. It caches the pages of the menu at once, others when they are read. */
async function writeWorker({ pages }: Site, folder: string): Promise<void> {
  const hash = createHash('sha256');
  const files = await filesIn(folder);
  for (const file of files) hash.update(`${file}\0`).update(await readFile(join(folder, file)));
  const version = hash.digest('hex').slice(0, 16);
  const unlisted = [...pages.values()].filter(({ source, listedAs }) => source !== listedAs).map(({ path }) => path);
  const kept = files.filter((file) => !unlisted.includes(file) && !isData(file));
  await writeScript('worker', folder, { __FILES__: JSON.stringify(kept), __VERSION__: JSON.stringify(version) });
}

const isData = (file: string): boolean => /\.(?:json|sql|ndjson)$/.test(file);

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => relative(folder, path).replaceAll('\\', '/')).toSorted();
}

async function bytesIn(folder: string): Promise<number> {
  const sizes = await Promise.all((await filesIn(folder)).map((file) => stat(join(folder, file))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
