/**
 * `npm run soak [-- --minutes N]`: real processes under kills, frozen processes, a full disk, a dead database and a lossy
 * network, for N minutes (3) on each store. `--kills`, `--power-cuts` and `--cold-starts` run longer forms of three tests.
 * `--seed S` repeats a run's choices. PostgreSQL is left out where the programs of test/failover are missing.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findPrograms } from '../failover/programs.ts';
import { parseSoak, usage } from './options.ts';

const programs = findPrograms();
const parts = parseSoak(process.argv.slice(2), { hasStandby: 'found' in programs });
if (!parts) {
  console.error(usage);
  process.exitCode = 1;
} else {
  if ('missing' in programs) console.error(`soak: without PostgreSQL, ${programs.missing}`);
  for (const { name, files, env } of parts) {
    console.log(`soak: ${name}`);
    const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/soak/vitest.config.ts', ...files], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    if (status !== 0) process.exitCode = 1;
  }
}
