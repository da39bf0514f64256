/** A peer's server in a process of its own, and the spaces on it. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startChildServer, type ChildServer } from '../../child-server.ts';
import type { RunningContender } from '../contender.ts';

export type PeerServerName = 'limit' | 'pouchdb' | 'replicache' | 'rxdb' | 'tinybase';

export function startPeerProcess(name: PeerServerName, dataDir: string, databaseUrl = ''): Promise<ChildServer> {
  return startChildServer([join(import.meta.dirname, '../servers', `${name}.ts`), dataDir, databaseUrl]);
}

/** The spaces of the servers here, which come to be when they are first named. */
export function spacesOn(url: string): Pick<RunningContender, 'newSpace' | 'filledSpace'> {
  return {
    newSpace: () => Promise.resolve(randomUUID()),
    async filledSpace({ maps, runs }) {
      const space = randomUUID();
      for (const documents of batchesOf([...maps, ...runs], 1_000)) {
        await postJson(`${url}/fill?space=${space}`, documents);
      }
      return space;
    },
  };
}

export async function postJson(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

export function batchesOf<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, batch) =>
    items.slice(batch * size, (batch + 1) * size),
  );
}
