/** Makes Vite take the builds of libraries for modern browsers, which are the smallest. */
import { defaultClientConditions } from 'vite';

export const modernBuildResolution = {
  conditions: ['es2015', ...defaultClientConditions],
  alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' }],
};
