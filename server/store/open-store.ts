/** The store that the configuration names: PostgreSQL where there is a URL, else the embedded one. */
import { openPostgresStore } from './postgres/postgres-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

export function openStore(options: { databaseUrl?: string | undefined; dataDir: string }): Promise<Store> {
  const { databaseUrl, dataDir } = options;
  return databaseUrl ? openPostgresStore({ url: databaseUrl }) : openSqliteStore({ dataDir });
}
