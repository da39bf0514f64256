/** All contenders with a server that devices sync with. */
import type { Contender } from '../contender.ts';
import { fullSync, inMemory, type Subject } from '../works/work-setting.ts';
import { gemba } from './gemba.ts';
import { rxdb } from './rxdb.ts';

export interface SyncSubject extends Subject {
  contender: Contender;
}

interface Choice {
  /** Whether the packages of the peers are there; RxDB is the product's own. */
  withPeers: boolean;
  /** Leaves out RxDB's push without a pull, and TinyBase: its server closes a socket before a message over 16 MiB. */
  pullsOnly?: boolean;
  /** Adds the servers of ours that compress their responses. */
  compressed?: boolean;
}

export const gembaName = 'Gemba';

export async function syncSubjects(choice: Choice): Promise<Record<string, SyncSubject>> {
  const { withPeers, pullsOnly = false, compressed = false } = choice;
  const durable: Subject = { role: 'peer', durability: fullSync };
  const volatile: Subject = { role: 'peer', durability: inMemory };
  return {
    [gembaName]: { role: 'gemba', durability: fullSync, contender: gemba() },
    RxDB: { ...durable, contender: rxdb({ direction: 'both' }) },
    ...(pullsOnly ? {} : { 'RxDB, push alone': { ...durable, contender: rxdb({ direction: 'push' }) } }),
    ...(compressed ? { 'RxDB, gzip': { ...durable, contender: rxdb({ direction: 'both', gzip: true }) } } : {}),
    ...(withPeers
      ? {
          ...(await replicacheSubjects(compressed)),
          ...(pullsOnly ? {} : { TinyBase: { ...volatile, contender: (await import('./tinybase.ts')).tinybase } }),
          PouchDB: { ...volatile, contender: (await import('./pouchdb.ts')).pouchdb },
        }
      : {}),
  };
}

async function replicacheSubjects(compressed: boolean): Promise<Record<string, SyncSubject>> {
  const { replicache } = await import('./replicache.ts');
  const subject = { role: 'peer', durability: fullSync } as const;
  return {
    Replicache: { ...subject, contender: replicache() },
    ...(compressed ? { 'Replicache, gzip': { ...subject, contender: replicache({ gzip: true }) } } : {}),
  };
}
