/**
 * `npm run failover [-- --kills N] [--seed S]`: kills the primary of a PostgreSQL with a synchronous standby under load, N
 * times (20), and checks that nothing acknowledged was lost or doubled. Without the programs that it needs it says so and
 * does nothing, or fails if GEMBA_REQUIRE_FAILOVER=1.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findPrograms } from './programs.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '20' }, seed: { type: 'string' } } });
const programs = findPrograms();
if (!/^[1-9]\d{0,3}$/.test(values.kills)) {
  console.error('usage: npm run failover [-- --kills N] [--seed S]');
  process.exitCode = 1;
} else if ('missing' in programs) {
  const isRequired = process.env['GEMBA_REQUIRE_FAILOVER'] === '1';
  console.error(`failover: ${isRequired ? 'FAILED' : 'skipped'}, ${programs.missing}`);
  process.exitCode = isRequired ? 1 : 0;
} else {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/failover/vitest.config.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      GEMBA_FAILOVER_KILLS: values.kills,
      ...(values.seed === undefined ? {} : { GEMBA_SEED: values.seed }),
    },
  });
  process.exitCode = status ?? 1;
}
