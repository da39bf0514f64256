import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { testMsMax, waitMsMax } from '../../timeouts.ts';

/** React 18, in place of the one with which the repository works. */
const packages = join(import.meta.dirname, 'node_modules');

/** `npm run platforms` runs its tests alone: they need Nodes, builders and a React that `npm ci` does not install. */
export default defineConfig({
  resolve: { alias: [{ find: /^(react|react-dom)(?=\/|$)/, replacement: `${packages}/$1` }] },
  test: {
    // The tests of the hooks are those of the repository.
    include: ['test/package/platforms/*.test.ts', 'test/browser/react/*.test.ts', 'test/react/*.test.ts'],
    // A page of theirs is a bundle, which knows nothing of the alias above.
    env: { TEST_REACT: packages },
    globalSetup: ['./test/made-once.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    expect: { poll: { timeout: waitMsMax } },
  },
});
