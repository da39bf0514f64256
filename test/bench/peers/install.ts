/** Installs the packages of the peers where they are missing. The product's own `npm ci` does not install them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const lock = join(folder, 'package-lock.json');
/** The lock file that was installed last. */
const installed = join(folder, 'node_modules/.installed-lock.json');

export function peersAreInstalled(): boolean {
  return existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8');
}

/** Runs no script of any package. */
export function installPeers(): void {
  if (peersAreInstalled()) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}`);
  writeFileSync(installed, readFileSync(lock));
}

/** Returns the exact versions of the packages that the folder asks for. */
export function peerVersions(): Record<string, string> {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> })
    .dependencies;
}
