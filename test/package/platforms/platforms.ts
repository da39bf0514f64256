/**
 * `npm run platforms [-- NAME...]`: tries the package with the Nodes, the builders and the React that it promises to work with,
 * which it installs first. NAME selects test files.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { installPackages } from '../../bench/peers/install.ts';

installPackages(import.meta.dirname);
const args = ['vitest', 'run', '--config', 'test/package/platforms/vitest.config.ts', ...process.argv.slice(2)];
const { status } = spawnSync('npx', args, { cwd: resolve(import.meta.dirname, '../../..'), stdio: 'inherit' });
process.exitCode = status ?? 1;
