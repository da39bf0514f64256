import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { appTestFiles, filesLeftOut, type AppHalf } from './test/house/app-half.ts';
import { LongFirst } from './test/house/long-first.ts';
import { isRxdbBanner } from './test/house/rxdb-banner.ts';
import { testMsMax, waitMsMax } from './test/timeouts.ts';

/** `npm run verify` reads the report from this file. */
const report = process.env['GEMBA_TEST_REPORT'];
/** `npm run verify` runs one half of the app's tests; `npm test` runs all. */
const appHalf = process.env['GEMBA_APP_HALF'] as AppHalf | undefined;
const leftOut = appHalf ? filesLeftOut(appTestFiles(import.meta.dirname), appHalf) : [];

const all = '{client,server,shared,test}/**/*.test.{ts,tsx}';
/** RxDB's dev mode stays on for its process, and Dexie takes the IndexedDB that is there when it is loaded. */
const alone = ['test/scenario/storage/rxdb-dev-mode.test.ts', 'test/house/rxdb-banner.test.ts'];

/** `npm run failover`, `npm run soak` and `npm run platforms` run these, and need programs of their own. */
const ownCommand = ['test/failover/**', 'test/soak/standby.test.ts', 'test/package/platforms/**'];

export default defineConfig({
  test: {
    // These make one PostgreSQL, the bundled programs and a shared folder for the whole run.
    globalSetup: ['./test/postgres.ts', './test/programs.ts', './test/made-once.ts'],
    // Loading the server and the engine anew for each file takes longer than most files do.
    projects: [
      project('alone', { include: alone, isolate: true }),
      project('all', {
        include: [all],
        exclude: [...configDefaults.exclude, ...alone, ...ownCommand, ...leftOut],
        isolate: false,
      }),
    ],
    // Tests wait for much of their time, so there is one worker more than a small machine has cores.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    onConsoleLog: (log) => (isRxdbBanner(log) ? false : undefined),
  },
});

function project(
  name: string,
  files: { include: string[]; exclude?: string[]; isolate: boolean },
): TestProjectInlineConfiguration {
  return {
    test: {
      ...files,
      name,
      pool: 'forks',
      testTimeout: testMsMax,
      hookTimeout: testMsMax,
      expect: { poll: { timeout: waitMsMax } },
    },
  };
}
