/** The test page of the bridge: the engine, and an app whose RxDatabase the tabs share. */
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { openGemba } from '../../../client/client.ts';
import { manualTimers } from '../../device/manual-timers.ts';
import { openAppDatabase, replicateApp, type AppDatabase } from '../../rxdb/app-collections.ts';

declare global {
  interface Window {
    openApp: () => Promise<void>;
    app: Pick<ReturnType<typeof replicateApp>, 'written' | 'errors'> & { database: AppDatabase };
  }
}

window.openGemba = openGemba;
window.manualTimers = manualTimers;
window.current = (of$) => firstValueFrom(of$);
window.eventually = (of$, holds) => firstValueFrom(of$.pipe(filter(holds)));

window.openApp = async () => {
  const database = await openAppDatabase({ name: 'app', storage: getRxStorageDexie() });
  const { written, errors } = replicateApp(window.gemba, database);
  window.app = { database, written, errors };
};
