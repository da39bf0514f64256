/**
 * `npm run mutants [-- --mutate 'shared/domain/study/*.ts']`: Stryker changes operators, conditions and constants of
 * shared/domain and of the pure parts of the outbox, one by one, and lists the changes that no unit test notices. Its packages
 * have a folder of their own, since the product needs none of them.
 *
 * Stryker reads tsconfig.json by an API that TypeScript 7 no longer has, so that it is told of none.
 */
import { spawnSync } from 'node:child_process';
import { join, relative, resolve } from 'node:path';
import { installPackages } from '../../bench/peers/install.ts';

const folder = import.meta.dirname;
const root = resolve(folder, '../../..');

installPackages(folder);
const program = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const config = relative(root, join(folder, 'stryker.config.json'));
const { status } = spawnSync(process.execPath, [program, 'run', config, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
