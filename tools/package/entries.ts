/** The public entries of the package, each with its source. */
export const engineEntries = {
  index: 'client/entries/gemba.ts',
  devtools: 'client/entries/devtools.ts',
  native: 'client/entries/native.ts',
  node: 'client/entries/node.ts',
  react: 'client/entries/react.ts',
  relay: 'client/entries/relay.ts',
  rxdb: 'client/entries/rxdb.ts',
  vite: 'client/entries/vite.ts',
} as const;

/** The engine starts these in a worker, by their place beside the code that starts them. */
export const workerSources = ['client/storage/journal/opfs-worker.ts', 'client/photos/encode/photo-worker.ts'] as const;

export const serverEntries = {
  server: 'server/server.ts',
  gemba: 'server/cli/gemba.ts',
} as const;

/** The entries that have types, each with its source. */
export const typedSources = { ...engineEntries, server: serverEntries.server };
export type TypedEntry = keyof typeof typedSources;
export const typedEntries = Object.keys(typedSources) as TypedEntry[];

/** Packages that the engine shares with the app that uses it. The code of all others is in the package. */
export const sharedPackages = ['rxjs', 'dexie'] as const;
/** Packages that an app brings, if it uses the entry that needs them. The engine has the part of RxDB that it uses itself. */
export const peerPackages = ['react', 'rxdb/plugins/replication', 'rxdb/plugins/utils'] as const;

/** `.` for `index`, and `./relay` for `relay`. */
export const exportPath = (entry: string): string => (entry === 'index' ? '.' : `./${entry}`);
