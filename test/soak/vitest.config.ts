import { defineConfig } from 'vitest/config';
import { testMsMax } from '../timeouts.ts';

/** `npm run soak` names the files, which run one after the other. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/programs.ts', './test/made-once.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    disableConsoleIntercept: true,
    expect: { poll: { timeout: 240_000 } },
  },
});
