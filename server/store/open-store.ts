/** The store that the configuration names: PostgreSQL where there is a URL, else the embedded one. */
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

export async function openStore(options: { databaseUrl?: string | undefined; dataDir: string }): Promise<Store> {
  if (options.databaseUrl) throw new Error('The PostgreSQL driver is not written yet');
  return openSqliteStore({ dataDir: options.dataDir });
}
