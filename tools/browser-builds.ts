/** Which of their published builds Vite takes of libraries: those for browsers of today, which are the smallest. */
import { defaultClientConditions } from 'vite';

export const browserBuilds = {
  conditions: ['es2015', ...defaultClientConditions],
  alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' }],
};
