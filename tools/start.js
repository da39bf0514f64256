/**
 * `npm start`: builds the app and the server where a source changed since the last build, then serves. It is JavaScript,
 * since compiling TypeScript at each start took longer than the start itself. One script does it all, since npm skips
 * `prestart` where `ignore-scripts` is set.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const serverFolder = join(root, 'node_modules/.cache/gemba-server');
const server = join(serverFolder, 'server/main.js');
const stamp = join(serverFolder, 'sources.txt');
const app = join(root, 'dist/index.html');

const sources = ['client', 'server', 'shared', 'tools', 'package.json', 'package-lock.json', 'vite.config.ts'];

const state = sourceState();
if (!isBuilt()) {
  // The build has its own process, so that the server does not keep the builder in memory.
  const args = ['--import', 'tsx', join(root, 'tools/build.ts'), serverFolder];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  // A source that changed during the build makes the next start build again.
  writeFileSync(stamp, state);
}
// Node 20 has no such cache. It holds what V8 compiled, so that the next start need not.
module.enableCompileCache?.(join(serverFolder, 'compiled'));
process.setSourceMapsEnabled(true);
await import(pathToFileURL(server).href);

function isBuilt() {
  return existsSync(app) && existsSync(server) && existsSync(stamp) && readFileSync(stamp, 'utf8') === state;
}

/** Returns a hash of the names, sizes and times of all sources, and of the version of Node. */
function sourceState() {
  const hash = createHash('sha256').update(process.version);
  const files = sources.flatMap((source) => {
    const path = join(root, source);
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  });
  for (const file of files.toSorted()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
