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
  type GembaReplication,
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
  const note = <Doc extends { id: string }>({ received$, error$ }: GembaReplication<Doc>) => {
    received$.subscribe(({ id }) => written.push(id));
    error$.subscribe((error) => errors.push(error));
  };
  const mapReplication = replicateMaps({ gemba, collection: maps, retryTime: 10 });
  const runReplication = replicateRuns({ gemba, collection: runs, retryTime: 10 });
  note(mapReplication);
  note(runReplication);
  await Promise.all([mapReplication.awaitInitialReplication(), runReplication.awaitInitialReplication()]);
  return { written, errors, mapReplication, runReplication };
}
