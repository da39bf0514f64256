/** The app as `npm run build` makes it, in a folder of its own. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');

export interface BuiltApp {
  folder: string;
  remove(): Promise<void>;
}

export async function buildApp(): Promise<BuiltApp> {
  const app = await emptyFolder();
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  // A process of its own: Vitest's NODE_ENV would make it the libraries' builds for development.
  const { NODE_ENV: _, ...env } = process.env;
  const args = [vite, 'build', '--logLevel', 'warn', '--outDir', app.folder, '--emptyOutDir'];
  await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return app;
}

/** The same app as its next version: another page and, with it, another worker. */
export async function nextVersion({ folder }: BuiltApp): Promise<BuiltApp> {
  const next = await emptyFolder();
  await cp(folder, next.folder, { recursive: true });
  await edit(join(next.folder, 'index.html'), (html) => html.replace('<html', '<html data-version="next"'));
  await edit(join(next.folder, 'sw.js'), (code) => code.replace(/shell-\w{4}/, 'shell-next'));
  return next;
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${path} stayed as it was`);
  await writeFile(path, changed);
}

async function emptyFolder(): Promise<BuiltApp> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-app-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
