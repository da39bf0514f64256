/** The built site of the documents, made once for a test run. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSite } from '../../tools/site/build-site.ts';
import { makeFolderOfRun, makeOnce } from '../made-once.ts';

const make = async (folder: string): Promise<void> => void (await buildSite(folder));

export async function builtSite(): Promise<string> {
  const shared = await makeOnce('site', make);
  if (shared !== undefined) return shared;
  const folder = await makeFolderOfRun('gemba-site-');
  await make(folder);
  return folder;
}

/** The HTML of each page, by its path in the site. */
export async function readPages(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const pages = names.filter((name) => name.endsWith('.html'));
  return new Map(
    await Promise.all(pages.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}
