/** Opens the store: on PostgreSQL if there is a URL, else on the embedded SQLite database. */
import { openPostgresStore } from './postgres/postgres-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

export function openStore(options: { databaseUrl?: string | undefined; dataDir: string }): Promise<Store> {
  const { databaseUrl, dataDir } = options;
  return databaseUrl ? openPostgresStore({ url: databaseUrl }) : openSqliteStore({ dataDir });
}
