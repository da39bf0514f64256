/** RxDB databases of an app, with the collections that follow an engine. */
import { randomUUID } from 'node:crypto';
import { createRxDatabase, type RxCollection, type RxStorage } from 'rxdb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { onTestFinished } from 'vitest';
import type { Gemba } from '../../client/client.ts';
import {
  mapsSchema,
  replicateMaps,
  replicateRuns,
  runsSchema,
  type MapDocument,
  type RunDocument,
} from '../../client/entries/rxdb.ts';

interface AppCollections {
  maps: RxCollection<MapDocument>;
  runs: RxCollection<RunDocument>;
}

interface AppDatabaseOptions {
  name?: string;
  storage?: RxStorage<unknown, unknown>;
}

/** Opens a database of an app, and closes it when the test ends. */
export async function appDatabase({ name = `app-${randomUUID()}`, storage }: AppDatabaseOptions = {}) {
  const database = await createRxDatabase<AppCollections>({
    name,
    storage: storage ?? (getRxStorageMemory() as unknown as RxStorage<unknown, unknown>),
    multiInstance: false,
  });
  onTestFinished(async () => void (await database.close()));
  await database.addCollections({ maps: { schema: mapsSchema }, runs: { schema: runsSchema } });
  return database;
}

export type AppDatabase = Awaited<ReturnType<typeof appDatabase>>;

/** Replicates both collections, and notes the documents that RxDB wrote and its errors. */
export async function replicateBoth(gemba: Gemba, { maps, runs }: AppDatabase) {
  const written: string[] = [];
  const errors: unknown[] = [];
  const replications = [
    replicateMaps({ gemba, collection: maps, retryTime: 10 }),
    replicateRuns({ gemba, collection: runs, retryTime: 10 }),
  ];
  for (const { received$, error$ } of replications) {
    received$.subscribe(({ id }) => written.push(id));
    error$.subscribe((error) => errors.push(error));
  }
  for (const replication of replications) await replication.awaitInitialReplication();
  const [mapReplication, runReplication] = replications;
  return { written, errors, mapReplication: mapReplication!, runReplication: runReplication! };
}
