/**
 * What a device does not need of RxDB's storage layer, left out of a bundle: an eighth of the app's code
 * (docs/decisions/0021-a-lean-storage-layer.md has the measurements).
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const inClient = (path: string) => fileURLToPath(new URL(`../client/${path}`, import.meta.url));

/** For an app that makes no queries, on browsers that have a `BroadcastChannel`. */
export function leanRxdb(): Plugin {
  return {
    name: 'gemba-lean-rxdb',
    config: () => ({
      resolve: {
        alias: [
          { find: 'broadcast-channel', replacement: inClient('store/native-broadcast-channel.ts') },
          // Its build for browsers of today.
          { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' },
        ],
      },
    }),
    load(id) {
      if (id.endsWith('/rxdb/dist/esm/plugins/storage-dexie/dexie-query.js')) return withoutQueries;
      if (id.endsWith('/rxdb/dist/esm/query-planner.js')) return withoutPlans;
      if (id === inClient('generated/row-schemas.ts')) return withoutShapes;
      return null;
    },
  };
}

const withoutQueries = `
  function refuse() { throw new Error('This app was built without queries.'); }
  export { refuse as dexieQuery, refuse as dexieCount };
`;

/** Whatever is asked of the storage is all rows (client/store/dexie-directly.ts). */
const withoutPlans = `
  export const INDEX_MAX = '\\uffff', INDEX_MIN = Number.MIN_SAFE_INTEGER;
  export const LOGICAL_OPERATORS = new Set(), getQueryPlan = () => ({});
`;

/** No storage of a browser looks at them; those that check rows, in tests, do. */
const withoutShapes = `
  const any = { type: 'object' };
  export { any as recordBody, any as outboxBody, any as draftBody };
`;
