import { defineConfig } from 'vitest/config';
import { isRxdbBanner } from './test/house/rxdb-banner.ts';

/** Where `npm run verify` reads the figures of the run. */
const report = process.env['GEMBA_TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['{client,server,shared,test}/**/*.test.{ts,tsx}'],
    // For the whole run: one PostgreSQL, where there is one, the programs that tests start, and a folder for the rest.
    globalSetup: ['./test/postgres.ts', './test/programs.ts', './test/made-once.ts'],
    // A process a test file: RxDB's free version opens at most 13 collections in one.
    pool: 'forks',
    maxWorkers: 2,
    // Guards against hanging alone: a busy machine may take its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    onConsoleLog: (log) => (isRxdbBanner(log) ? false : undefined),
  },
});
