/** The collections of an app that follow an engine, in Node and in a page of a browser. */
import { createRxDatabase, type RxCollection, type RxDatabase, type RxDatabaseCreator } from 'rxdb';
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

export type AppDatabase = RxDatabase<AppCollections>;

export async function openAppDatabase(creator: RxDatabaseCreator): Promise<AppDatabase> {
  const database = await createRxDatabase<AppCollections>(creator);
  await database.addCollections({ maps: { schema: mapsSchema }, runs: { schema: runsSchema } });
  return database;
}

/** Replicates both collections, and notes the ids of the documents that RxDB wrote and its errors. */
export function replicateApp(gemba: Gemba, { maps, runs }: AppDatabase, { retryTime = 5_000 } = {}) {
  const written: string[] = [];
  const errors: Error[] = [];
  const note = <Doc extends { id: string }>({ received$, error$ }: GembaReplication<Doc>) => {
    received$.subscribe(({ id }) => written.push(id));
    error$.subscribe((error) => errors.push(error));
  };
  const mapReplication = replicateMaps({ gemba, collection: maps, retryTime });
  const runReplication = replicateRuns({ gemba, collection: runs, retryTime });
  note(mapReplication);
  note(runReplication);
  return { written, errors, mapReplication, runReplication };
}
