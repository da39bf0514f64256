import { defineConfig } from 'vitest/config';

/** The tests of one fault make what they need by themselves, since few need a PostgreSQL or the bundled programs. */
export default defineConfig({
  test: {
    include: ['{client,server,shared,test}/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
