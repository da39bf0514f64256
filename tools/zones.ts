/**
 * The folders and their allowed imports, in the order of ARCHITECTURE.md. `npm run generate` writes oxlint's rules from
 * this table, since oxlint's patterns see only the text of an import and not the imported file.
 */
export interface Zone {
  /** Folders and files that the folder may import besides itself. */
  mayImport: string[];
  /** Folders from which the folder may import types only. */
  mayImportTypes?: string[];
  /** The folder may not import from `shared`, since it uses only the public face of the engine. */
  noShared?: true;
  /** The folder may import Node's modules, as only the server's folders may otherwise. */
  mayImportNode?: true;
  /** The folder may not import any package. */
  noPackages?: true;
}

const engineFolderNames = [
  'core',
  'generated',
  'storage',
  'outbox',
  'view',
  'recording',
  'sync',
  'devices',
  'transfer',
  'relay',
  'hand-over',
  'photos',
  'inspect',
];
const foldersOf = (side: string, names: string[]): string[] => names.map((name) => `${side}/${name}`);
/** Returns the first `count` folders of the engine: a folder may import the folders before it. */
const engineFolders = (count: number): string[] => foldersOf('client', engineFolderNames.slice(0, count));
const appZone = (...names: string[]): Zone => ({
  mayImport: ['client/client.ts', 'client/entries/devtools.ts', ...foldersOf('client/app', names)],
  noShared: true,
});
const serverFolders = (...names: string[]): string[] => foldersOf('server', names);

/** The zones of shared, client and server, each side in the order of imports. */
export const zones: Record<string, Zone> = {
  'shared/schema': { mayImport: [] },
  'shared/protocol': { mayImport: ['shared/schema'] },
  'shared/brief': { mayImport: ['shared/protocol'] },
  'shared/domain': {
    mayImport: ['shared/schema/limits.ts'],
    mayImportTypes: ['shared/schema', 'shared/protocol'],
    noPackages: true,
  },
  'shared/packed': { mayImport: ['shared/domain'], mayImportTypes: ['shared/schema'], noPackages: true },
  'shared/relay': { mayImport: [] },
  'shared/sqlite': { mayImport: [] },
  'shared/export': { mayImport: [], mayImportTypes: ['shared/schema'] },
  'shared/value-stream': {
    mayImport: ['shared/export/xml-text.ts'],
    mayImportTypes: ['shared/schema'],
    noPackages: true,
  },
  'shared/import': {
    mayImport: [
      'shared/schema/instant.ts',
      'shared/schema/limits.ts',
      'shared/schema/integration/import-limits.ts',
      'shared/domain',
      'shared/export/formula-guard.ts',
    ],
    mayImportTypes: ['shared/schema'],
    noPackages: true,
  },

  'client/core': { mayImport: engineFolders(2) },
  'client/generated': { mayImport: [] },
  'client/storage': { mayImport: engineFolders(2) },
  'client/outbox': { mayImport: engineFolders(3) },
  'client/view': { mayImport: engineFolders(4) },
  'client/recording': { mayImport: engineFolders(5) },
  'client/sync': { mayImport: engineFolders(5) },
  'client/devices': { mayImport: [...engineFolders(4), 'client/sync'] },
  'client/transfer': { mayImport: engineFolders(6) },
  'client/relay': { mayImport: engineFolders(3) },
  'client/hand-over': { mayImport: [...engineFolders(7), 'client/relay'] },
  'client/photos': { mayImport: engineFolders(7) },
  'client/inspect': { mayImport: engineFolders(12) },
  // The devtools panel reads the engine only through the inspector.
  'client/devtools': { mayImport: ['client/inspect'], noShared: true },
  // client/entries/react.ts is the public face of the hooks, which open the engine of client/entries/gemba.ts.
  'client/react': { mayImport: ['client/client.ts', 'client/entries/gemba.ts'], noShared: true },
  'client/rxdb': { mayImport: ['client/client.ts', 'client/generated'], noShared: true },
  'client/node': { mayImport: engineFolders(3), mayImportNode: true },
  client: { mayImport: engineFolders(engineFolderNames.length) },
  // The public faces besides client/client.ts, each an entry of the package.
  'client/entries': {
    mayImport: [
      'client/client.ts',
      'client/gemba.ts',
      'client/open.ts',
      'client/carrier.ts',
      'client/hand-over.ts',
      'client/open-hand-over.ts',
      ...engineFolders(engineFolderNames.length),
      'client/react',
      'client/rxdb',
      'client/node',
      'client/devtools',
    ],
  },
  'client/app/text': appZone(),
  'client/app/shell/service-worker': { mayImport: [] },
  'client/app/shell': { ...appZone('text'), mayImportTypes: ['client/app/shell/service-worker'] },
  'client/app/ui': appZone('text', 'shell'),
  'client/app/pairing': appZone('text', 'shell', 'ui'),
  'client/app/recorder': appZone('text', 'shell', 'ui'),
  'client/app/phone': appZone('text', 'shell', 'ui', 'pairing', 'recorder'),
  'client/app/watch': appZone('text', 'shell', 'ui', 'pairing', 'recorder'),
  'client/app/desk': appZone('text', 'shell', 'ui', 'pairing', 'recorder', 'phone'),
  'client/app': appZone('text', 'shell', 'ui', 'pairing', 'recorder', 'phone', 'watch', 'desk'),

  'server/core': { mayImport: [] },
  'server/observe': { mayImport: serverFolders('core') },
  'server/store': { mayImport: serverFolders('core') },
  'server/mutate': { mayImport: serverFolders('core', 'store'), mayImportTypes: serverFolders('observe') },
  'server/auth': { mayImport: serverFolders('core', 'store', 'mutate'), mayImportTypes: serverFolders('relay') },
  'server/sync': { mayImport: serverFolders('core', 'store', 'mutate'), mayImportTypes: serverFolders('observe') },
  'server/events': { mayImport: serverFolders('core', 'store', 'mutate', 'auth') },
  'server/webhooks': { mayImport: serverFolders('core', 'store', 'mutate', 'auth', 'events') },
  'server/export': { mayImport: serverFolders('core', 'store') },
  'server/import': { mayImport: serverFolders('core', 'store', 'mutate') },
  'server/fleet': { mayImport: serverFolders('core', 'store', 'auth') },
  'server/relay': { mayImport: serverFolders('core', 'store') },
  'server/photos': { mayImport: serverFolders('core', 'store') },
  'server/backup': { mayImport: serverFolders('core', 'store', 'photos') },
  'server/billing': {
    mayImport: serverFolders('core', 'store', 'mutate', 'auth'),
    mayImportTypes: serverFolders('observe'),
  },
  'server/openapi': { mayImport: [], mayImportTypes: serverFolders('http') },
  'server/http': {
    mayImport: serverFolders(
      'core',
      'observe',
      'store',
      'mutate',
      'auth',
      'sync',
      'events',
      'webhooks',
      'export',
      'import',
      'fleet',
      'relay',
      'photos',
      'billing',
      'openapi',
    ),
  },
  'server/tls': { mayImport: serverFolders('core') },
  'server/cli': {
    mayImport: [
      ...serverFolders('core', 'store', 'auth', 'export', 'relay', 'backup', 'tls'),
      'server/app.ts',
      'server/main.ts',
      'server/environment.ts',
      'server/settings.ts',
    ],
  },
  server: {
    mayImport: serverFolders(
      'webhooks',
      'fleet',
      'core',
      'observe',
      'store',
      'mutate',
      'auth',
      'sync',
      'relay',
      'photos',
      'billing',
      'http',
      'tls',
      'cli',
    ),
  },
};

/** Packages that only some folders may import. */
export const packageOwners: Record<string, string | string[]> = {
  rxdb: ['client/storage', 'client/rxdb'],
  dexie: 'client/storage',
  preact: 'client/app',
  'react|react-dom': 'client/react',
  'express|helmet': 'server/http',
  pg: 'server/store',
  'pkijs|asn1js': 'server/tls',
  'structured-headers': 'server/fleet',
  'range-parser': 'server/http',
  '@hpke/core': 'shared/relay',
  fflate: 'shared/export',
  aws4fetch: 'server/photos',
  stripe: 'server/billing',
};
