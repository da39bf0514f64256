/**
 * `npm start`: builds the app, then serves. One script does both, since npm skips `prestart` where `ignore-scripts` is
 * set.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const viteScript = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
// The build has its own process, so that the server does not keep the builder in memory.
const buildResult = spawnSync(process.execPath, [viteScript, 'build', '--logLevel', 'warn'], {
  cwd: root,
  stdio: 'inherit',
});
if (buildResult.status === 0) await import('../server/main.ts');
else process.exitCode = 1;
