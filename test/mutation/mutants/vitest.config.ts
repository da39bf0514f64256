import { defineConfig } from 'vitest/config';

/**
 * Only unit tests run, and properties with few examples, since each of thousands of changes runs all that reach it. The seed is
 * fixed, so that a change is not noticed by luck.
 */
export default defineConfig({
  test: {
    include: ['shared/domain/**/*.test.ts', 'client/outbox/**/*.test.ts', 'test/domain/**/*.test.ts'],
    isolate: false,
    env: { GEMBA_SEED: '1', GEMBA_EXAMPLES: '15' },
    testTimeout: 600_000,
  },
});
