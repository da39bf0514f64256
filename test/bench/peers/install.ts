/** Installs the packages of a folder where they are missing, such as those of the peers. The product's own `npm ci` does not. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const peersFolder = import.meta.dirname;

const lockOf = (folder: string): string => join(folder, 'package-lock.json');
/** The lock file that was installed last. */
const installedLockOf = (folder: string): string => join(folder, 'node_modules/.installed-lock.json');

export const peersAreInstalled = (): boolean => areInstalled(peersFolder);

export const installPeers = (): void => installPackages(peersFolder);

function areInstalled(folder: string): boolean {
  const installed = installedLockOf(folder);
  return existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lockOf(folder), 'utf8');
}

/** Runs no script of any package. */
export function installPackages(folder: string): void {
  if (areInstalled(folder)) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}`);
  writeFileSync(installedLockOf(folder), readFileSync(lockOf(folder)));
}

/** Returns the exact versions of the packages that the folder of the peers asks for. */
export function peerVersions(): Record<string, string> {
  const file = readFileSync(join(peersFolder, 'package.json'), 'utf8');
  return (JSON.parse(file) as { dependencies: Record<string, string> }).dependencies;
}
