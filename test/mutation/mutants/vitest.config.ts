import { defineConfig } from 'vitest/config';

/** Only unit tests run, since each of thousands of changes runs all that reach it. */
export default defineConfig({
  test: {
    include: ['shared/domain/**/*.test.ts', 'client/outbox/**/*.test.ts', 'test/domain/**/*.test.ts'],
    testTimeout: 600_000,
  },
});
