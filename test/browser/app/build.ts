/** Builds the app like `npm run build`: once for a whole test run, otherwise in a temporary folder. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeOnce } from '../../made-once.ts';

const root = resolve(import.meta.dirname, '../../..');

export interface BuiltApp {
  folder: string;
  /** The end of the test run removes it. */
  isOfRun?: true;
  remove(): Promise<void>;
}

export async function buildApp(): Promise<BuiltApp> {
  const shared = await makeOnce('app', buildInto);
  if (shared) return { folder: shared, isOfRun: true, remove: async () => {} };
  const app = await makeEmptyFolder();
  await buildInto(app.folder);
  return app;
}

async function buildInto(folder: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  // The build has its own process, since Vitest's NODE_ENV would select the development builds of the libraries.
  const { NODE_ENV: _, ...env } = process.env;
  const args = [vite, 'build', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'];
  await promisify(execFile)(process.execPath, args, { cwd: root, env });
}

/** Makes the next version of the app: its files have other names, so its service worker differs, too. */
export async function nextVersion({ folder }: Pick<BuiltApp, 'folder'>, version = 'next'): Promise<BuiltApp> {
  const next = await makeEmptyFolder();
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const [, before] = /data-version="(\w+)"/.exec(page)!;
  const names = await readdir(join(folder, 'assets'));
  const renamed = (text: string) =>
    names.reduce((all, name) => all.replaceAll(name, `${version}-${name}`), text).replaceAll(before!, version);
  await cp(folder, next.folder, { recursive: true });
  await rm(join(next.folder, 'assets'), { recursive: true });
  await mkdir(join(next.folder, 'assets'));
  for (const path of ['index.html', 'watch.html', 'desk.html', 'sw.js', ...names.map((name) => `assets/${name}`)]) {
    const text = renamed(await readFile(join(folder, path), 'utf8'));
    await writeFile(join(next.folder, renamed(path)), text);
  }
  return next;
}

async function makeEmptyFolder(): Promise<BuiltApp> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-app-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
