/** Opens the store: on PostgreSQL if there is a URL, else on the embedded SQLite database. */
import type { World } from '../core/world.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

interface OpenStoreOptions {
  databaseUrl?: string | undefined;
  dataDir: string;
  world: World;
}

export function openStore({ databaseUrl, dataDir, world }: OpenStoreOptions): Promise<Store> {
  return databaseUrl ? openPostgresStore({ url: databaseUrl, world }) : openSqliteStore({ dataDir });
}
