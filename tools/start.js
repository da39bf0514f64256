/**
 * `npm start`: builds the app and the server where a source changed since the last build, serves, and then builds the guide
 * where a document changed. It is JavaScript, since compiling TypeScript at each start took longer than the start itself. One
 * script does it all, since npm skips `prestart` where `ignore-scripts` is set.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const serverFolder = join(root, 'node_modules/.cache/gemba-server');
const server = join(serverFolder, 'server/main.js');
const stamp = join(serverFolder, 'sources.txt');
const app = join(root, 'dist/index.html');

const guide = join(root, 'site');
/** What the site is made of and with, besides the documents of the root. */
const guideSources = [
  'docs',
  'tools',
  'server/openapi/reference',
  'test/fixtures',
  'test/mutation',
  'package-lock.json',
];
const guideStamp = join(serverFolder, 'documents.txt');
/** A development dependency: an installation for production has no guide. */
const guideBuilder = join(root, 'node_modules/@11ty/eleventy/package.json');

const sources = ['client', 'server', 'shared', 'tools', 'package.json', 'package-lock.json', 'vite.config.ts'];

const state = stateOf(sources);
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
// A server that could not start has set the exit code.
if (!process.exitCode && existsSync(guideBuilder)) {
  try {
    buildGuide();
  } catch {
    sayNoGuide();
  }
}

/** Builds the guide beside the server, at a priority that leaves the server its time. The server serves it once it is there. */
function buildGuide() {
  const documents = readdirSync(root).filter((name) => name.endsWith('.md'));
  const guideState = stateOf([...documents, ...guideSources]);
  if (existsSync(join(guide, 'index.html')) && isStamped(guideStamp, guideState)) return;
  const args = ['--import', 'tsx', join(root, 'tools/site/site.ts'), guide];
  const builder = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
  // Without this, a server that has closed would wait for the builder.
  builder.unref();
  let isStopped = false;
  const stop = () => (isStopped = builder.kill());
  process.once('exit', stop);
  builder.once('spawn', () => {
    try {
      setPriority(builder.pid, constants.priority.PRIORITY_LOW);
    } catch {
      // It has ended already, or the system lets nobody lower a priority.
    }
  });
  builder.once('error', sayNoGuide);
  builder.once('exit', (code) => {
    process.off('exit', stop);
    if (code === 0) keepGuideState(guideState);
    else if (!isStopped) sayNoGuide();
  });
}

function keepGuideState(guideState) {
  try {
    writeFileSync(guideStamp, guideState);
  } catch {
    // The disk is full or read-only: the server goes on, and the next start builds the guide again.
  }
}

/** Says so on stdout, since the standard error is for the lines of the log. */
function sayNoGuide() {
  process.stdout.write('  The guide was not built: `npm run site` says why.\n\n');
}

function isBuilt() {
  return existsSync(app) && existsSync(server) && isStamped(stamp, state);
}

function isStamped(file, expected) {
  return existsSync(file) && readFileSync(file, 'utf8') === expected;
}

/** Returns a hash of the names, sizes and times of all files of the paths, and of the version of Node. */
function stateOf(paths) {
  const hash = createHash('sha256').update(process.version);
  const files = paths.flatMap((source) => {
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
