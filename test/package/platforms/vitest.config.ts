import { defineConfig } from 'vitest/config';
import { testMsMax, waitMsMax } from '../../timeouts.ts';

/** `npm run platforms` runs its tests alone: they need Nodes and builders that `npm ci` does not install. */
export default defineConfig({
  test: {
    include: ['test/package/platforms/*.test.ts'],
    globalSetup: ['./test/made-once.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    expect: { poll: { timeout: waitMsMax } },
  },
});
