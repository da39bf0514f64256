/** RxDB databases of an app in Node. */
import { randomUUID } from 'node:crypto';
import type { RxStorage } from 'rxdb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { onTestFinished } from 'vitest';
import type { Gemba } from '../../client/client.ts';
import { openAppDatabase, replicateApp, type AppDatabase } from './app-collections.ts';

interface AppDatabaseOptions {
  name?: string;
  storage?: RxStorage<unknown, unknown>;
}

/** Opens a database of an app, and closes it when the test ends. */
export async function appDatabase({ name = `app-${randomUUID()}`, storage }: AppDatabaseOptions = {}) {
  const database = await openAppDatabase({
    name,
    storage: storage ?? (getRxStorageMemory() as unknown as RxStorage<unknown, unknown>),
    multiInstance: false,
  });
  onTestFinished(async () => void (await database.close()));
  return database;
}

/** Replicates both collections, and resolves when each has what the engine shows. */
export async function replicateBoth(gemba: Gemba, database: AppDatabase) {
  const replicated = replicateApp(gemba, database, { retryTime: 10 });
  const { mapReplication, runReplication } = replicated;
  await Promise.all([mapReplication.awaitInitialReplication(), runReplication.awaitInitialReplication()]);
  return replicated;
}
