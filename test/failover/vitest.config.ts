import { defineConfig } from 'vitest/config';
import { testMsMax } from '../timeouts.ts';

/** `npm run failover` runs its test alone: it starts a cluster of its own and takes minutes. */
export default defineConfig({
  test: {
    include: ['test/failover/*.test.ts'],
    globalSetup: ['./test/programs.ts'],
    pool: 'forks',
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    disableConsoleIntercept: true,
  },
});
