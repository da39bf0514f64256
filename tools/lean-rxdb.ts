/**
 * What a device does not need of RxDB's storage layer, left out of a bundle: an eighth of the app's code
 * (docs/decisions/0021-a-lean-storage-layer.md has the measurements).
 */
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, type Plugin } from 'vite';

const inClient = (path: string) => fileURLToPath(new URL(`../client/${path}`, import.meta.url));

/** For an app that makes no queries, on browsers that have a `BroadcastChannel`. */
export function leanRxdb(): Plugin {
  return {
    name: 'gemba-lean-rxdb',
    config: () => ({
      resolve: {
        // The builds of libraries for browsers of today: RxJS's other one needs all of tslib.
        conditions: ['es2015', ...defaultClientConditions],
        alias: [
          { find: 'broadcast-channel', replacement: inClient('storage/native-broadcast-channel.ts') },
          // Its build for browsers of today.
          { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' },
        ],
      },
    }),
    load(id) {
      if (id.endsWith('/tslib/tslib.es6.mjs')) return withoutAsyncIterables;
      if (id.endsWith('/rxdb/dist/esm/plugins/storage-dexie/dexie-query.js')) return withoutQueries;
      if (id.endsWith('/rxdb/dist/esm/query-planner.js')) return withoutPlans;
      if (id.endsWith('/rxdb/dist/esm/plugins/utils/utils-object-dot-prop.js')) return withoutPaths;
      if (id === inClient('generated/row-schemas.ts')) return withoutShapes;
      return null;
    },
  };
}

const withoutQueries = `
  function refuse() { throw new Error('This app was built without queries.'); }
  export { refuse as dexieQuery, refuse as dexieCount };
`;

/** What RxJS's build for ES2015 has of tslib: nothing here makes an observable of an async iterable. */
const withoutAsyncIterables = `
  function refuse() { throw new Error('This app was built without async iterables.'); }
  export { refuse as __asyncValues, refuse as __awaiter, refuse as __asyncGenerator, refuse as __await };
`;

/** Whatever is asked of the storage is all rows (client/storage/dexie-directly.ts). */
const withoutPlans = `
  export const INDEX_MAX = '\\uffff', INDEX_MIN = Number.MIN_SAFE_INTEGER;
  export const LOGICAL_OPERATORS = new Set(), getQueryPlan = () => ({});
`;

/** The only index that has to be made of a boolean is that of removed rows, at the top of each; paths lead into schemas alone. */
const withoutPaths = `
  export const getProperty = (object, path) => path.split('.').reduce((within, key) => within?.[key], object);
  export const setProperty = (object, key, value) => void (object[key] = value);
  export const hasProperty = (object, key) => key in object, deleteProperty = (object, key) => delete object[key];
`;

/** No storage of a browser looks at them; those that check rows, in tests, do. */
const withoutShapes = `
  const any = { type: 'object' };
  export { any as recordBody, any as outboxBody, any as draftBody };
`;
