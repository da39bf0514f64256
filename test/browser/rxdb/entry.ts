/** The test page of the bridge: the engine, and an app whose RxDatabase the tabs share. */
import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { openGemba } from '../../../client/client.ts';
import {
  mapsSchema,
  replicateMaps,
  replicateRuns,
  runsSchema,
  type GembaReplication,
  type MapDocument,
  type RunDocument,
} from '../../../client/entries/rxdb.ts';
import { manualTimers } from '../../device/manual-timers.ts';

interface Collections {
  maps: RxCollection<MapDocument>;
  runs: RxCollection<RunDocument>;
}

declare global {
  interface Window {
    openApp: () => Promise<void>;
    app: { database: RxDatabase<Collections>; collections: Collections; written: string[]; errors: string[] };
  }
}

window.openGemba = openGemba;
window.manualTimers = manualTimers;
window.current = (of$) => firstValueFrom(of$);
window.eventually = (of$, holds) => firstValueFrom(of$.pipe(filter(holds)));

window.openApp = async () => {
  const { gemba } = window;
  const database = await createRxDatabase<Collections>({ name: 'app', storage: getRxStorageDexie() });
  const collections = await database.addCollections({ maps: { schema: mapsSchema }, runs: { schema: runsSchema } });
  const written: string[] = [];
  const errors: string[] = [];
  window.app = { database, collections, written, errors };
  const note = <Doc extends { id: string }>({ received$, error$ }: GembaReplication<Doc>) => {
    received$.subscribe(({ id }) => written.push(id));
    error$.subscribe((error) => errors.push(error.message));
  };
  note(replicateMaps({ gemba, collection: collections.maps }));
  note(replicateRuns({ gemba, collection: collections.runs }));
};
