/**
 * The few words of the peers' packages that the comparison uses, so that the types hold where those packages are not
 * installed.
 */

declare module 'pouchdb-core' {
  export interface PouchReplication {
    batch_size: number;
    batches_limit?: number;
  }
  export interface Pouch {
    bulkDocs(documents: object[]): Promise<unknown[]>;
    info(): Promise<{ doc_count: number }>;
    close(): Promise<void>;
    destroy(): Promise<void>;
    replicate: {
      to(remote: Pouch, options: PouchReplication): Promise<{ docs_written: number; ok: boolean }>;
      from(remote: Pouch, options: PouchReplication): Promise<{ docs_written: number; ok: boolean }>;
    };
  }
  export interface PouchConstructor {
    new (name: string, options?: { adapter?: string; skip_setup?: boolean }): Pouch;
    plugin(plugin: object): PouchConstructor;
    defaults(options: { adapter: string }): PouchConstructor;
  }
  const PouchDb: PouchConstructor;
  export default PouchDb;
}
declare module 'pouchdb-adapter-memory' {
  const plugin: object;
  export default plugin;
}
declare module 'pouchdb-adapter-http' {
  const plugin: object;
  export default plugin;
}
declare module 'pouchdb-adapter-idb' {
  const plugin: object;
  export default plugin;
}
declare module 'pouchdb-mapreduce' {
  const plugin: object;
  export default plugin;
}
declare module 'pouchdb-replication' {
  const plugin: object;
  export default plugin;
}
declare module 'express-pouchdb' {
  const expressPouchDb: (
    databases: object,
    options: { mode: string; inMemoryConfig: boolean; logPath: string },
  ) => never;
  export default expressPouchDb;
}

declare module 'replicache' {
  export interface WriteTransaction {
    set(key: string, value: unknown): Promise<void>;
    scan(): { keys(): { toArray(): Promise<string[]> } };
  }
  export interface ReplicacheOptions {
    name: string;
    kvStore: 'mem' | 'idb';
    pushURL: string;
    pullURL: string;
    pushDelay: number;
    pullInterval: null;
    logLevel: 'error';
    mutators: { put: (tx: WriteTransaction, document: { id: string }) => Promise<void> };
  }
  export class Replicache {
    constructor(options: ReplicacheOptions);
    mutate: { put(document: object): Promise<void> };
    push(options: { now: boolean }): Promise<void>;
    pull(options: { now: boolean }): Promise<void>;
    query<Result>(read: (tx: WriteTransaction) => Promise<Result>): Promise<Result>;
    experimentalPendingMutations(): Promise<readonly unknown[]>;
    close(): Promise<void>;
  }
}

declare module 'tinybase' {
  export interface MergeableStore {
    transaction(work: () => void): void;
    setRow(table: string, id: string, row: Record<string, string>): void;
    getRowCount(table: string): number;
    addTableListener(table: string, listener: () => void): string;
    delListener(listener: string): void;
  }
  export function createMergeableStore(): MergeableStore;
}
declare module 'tinybase/persisters' {
  import type { MergeableStore } from 'tinybase';
  export function createCustomPersister(
    store: MergeableStore,
    getPersisted: () => Promise<undefined>,
    setPersisted: () => Promise<void>,
    addListener: () => number,
    delListener: () => void,
    onIgnoredError: undefined,
    persist: number,
  ): object;
}
declare module 'tinybase/synchronizers/synchronizer-ws-server' {
  export function createWsServer(sockets: object, persisterFor: (path: string) => [object, () => void]): object;
}
declare module 'tinybase/synchronizers/synchronizer-ws-client' {
  import type { MergeableStore } from 'tinybase';
  export interface Synchronizer {
    startSync(): Promise<unknown>;
    destroy(): Promise<unknown>;
  }
  export function createWsSynchronizer(
    store: MergeableStore,
    socket: object,
    requestTimeoutSecs?: number,
  ): Promise<Synchronizer>;
}
