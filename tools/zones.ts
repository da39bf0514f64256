/**
 * The folders and what each may import. ARCHITECTURE.md draws the arrows. `npm run generate` writes oxlint's rules from
 * this table, since oxlint's patterns see the text of an import and not the file behind it.
 */
export interface Zone {
  /** Folders and files that the folder may import besides itself. */
  may: string[];
  /** Folders from which the folder may import types only. */
  types?: string[];
  /** The folder may import only types of `shared`; it imports values from client/client.ts. */
  sharedTypesOnly?: true;
  /** The folder may not import any package. */
  noPackages?: true;
}

const engine = ['core', 'generated', 'storage', 'outbox', 'view', 'recording', 'sync', 'devices', 'transfer'];
const rooms = (side: string, names: string[]): string[] => names.map((name) => `${side}/${name}`);
/** The first `count` folders of the list: a folder may import the folders before it. */
const first = (count: number): string[] => rooms('client', engine.slice(0, count));
const app = (...names: string[]): Zone => ({
  may: ['client/client.ts', ...rooms('client/app', names)],
  sharedTypesOnly: true,
});
const server = (...names: string[]): string[] => rooms('server', names);

/** The zones in the order of imports, each side by itself. */
export const zones: Record<string, Zone> = {
  'shared/schema': { may: [] },
  'shared/domain': { may: ['shared/schema/limits.ts'], types: ['shared/schema', 'shared/protocol'], noPackages: true },
  'shared/protocol': { may: ['shared/schema'] },

  'client/core': { may: first(2) },
  'client/generated': { may: [] },
  'client/storage': { may: first(2) },
  'client/outbox': { may: first(3) },
  'client/view': { may: first(4) },
  'client/recording': { may: first(5) },
  'client/sync': { may: first(5) },
  'client/devices': { may: [...first(4), 'client/sync'] },
  'client/transfer': { may: first(6) },
  client: { may: first(engine.length) },
  'client/app/text': app(),
  'client/app/shell/service-worker': { may: [] },
  'client/app/shell': { ...app('text'), types: ['client/app/shell/service-worker'] },
  'client/app/ui': app('text', 'shell'),
  'client/app/pairing': app('text', 'shell', 'ui'),
  'client/app/phone': app('text', 'shell', 'ui', 'pairing'),
  'client/app/watch': app('text', 'shell', 'ui', 'pairing'),
  'client/app': app('text', 'shell', 'ui', 'pairing', 'phone', 'watch'),

  'server/core': { may: [] },
  'server/observe': { may: server('core') },
  'server/store': { may: server('core') },
  'server/mutate': { may: server('core', 'store'), types: server('observe') },
  'server/auth': { may: server('core', 'store', 'mutate') },
  'server/sync': { may: server('core', 'store', 'mutate'), types: server('observe') },
  'server/openapi': { may: [], types: server('http') },
  'server/http': { may: server('core', 'observe', 'store', 'mutate', 'auth', 'sync', 'openapi') },
  'server/cli': { may: [...server('core', 'store', 'auth'), 'server/app.ts', 'server/environment.ts'] },
  server: { may: server('core', 'observe', 'store', 'mutate', 'auth', 'sync', 'http', 'cli') },
};

/** Packages that only one folder may import. */
export const owners: Record<string, string> = {
  'rxdb|dexie': 'client/storage',
  preact: 'client/app',
  'express|helmet': 'server/http',
  pg: 'server/store',
};
