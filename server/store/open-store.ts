/** Opens the store: on PostgreSQL if there is a URL, else on the embedded SQLite database. */
import type { World } from '../core/world.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

interface OpenStoreOptions {
  databaseUrl?: string | undefined;
  pokeDatabaseUrl?: string | undefined;
  pokes?: 'listen' | 'poll' | undefined;
  databasePooler?: 'transaction' | undefined;
  dataDir: string;
  world: World;
}

export async function openStore({
  databaseUrl,
  pokeDatabaseUrl,
  pokes,
  databasePooler,
  dataDir,
  world,
}: OpenStoreOptions): Promise<Store> {
  if (!databaseUrl) return openSqliteStore({ dataDir, world });
  // Import the driver of PostgreSQL only if the server uses PostgreSQL.
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  const pokeUrl = pokeDatabaseUrl;
  return openPostgresStore({ url: databaseUrl, pokeUrl, pokes, pooler: databasePooler, world });
}
