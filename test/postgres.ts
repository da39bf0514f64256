/**
 * A real PostgreSQL for tests: the Citus of `TEST_CITUS_URL`, the PostgreSQL of `TEST_DATABASE_URL`, else a cluster from the installed binaries in a
 * temporary folder, with fsync on. As vitest's `globalSetup` this file starts one for the whole run; a test file that
 * runs alone gets its own.
 */
import { citusUrl, createCitusDatabase } from './citus.ts';
import { findPostgres, startCluster } from './postgres-cluster.ts';
import { freshDatabase, freshDatabaseName } from './postgres-database.ts';

export interface TestPostgres {
  url: string;
  stop(): Promise<void>;
  /** Makes a new, empty database and returns its URL. */
  createDatabase(): Promise<string>;
}

export const postgresMissing = 'no PostgreSQL: set TEST_DATABASE_URL or install its server binaries';

/** undefined where there is no PostgreSQL; tests then skip, or fail if GEMBA_REQUIRE_POSTGRES=1. */
export async function startPostgres(): Promise<TestPostgres | undefined> {
  if (citusUrl)
    return {
      url: citusUrl,
      stop: async () => {},
      createDatabase: () => createCitusDatabase(citusUrl!, freshDatabaseName()),
    };
  const given = process.env['TEST_DATABASE_URL'];
  const cluster = given || !findPostgres() ? undefined : await startCluster();
  const url = given ?? cluster?.url;
  if (!url) return undefined;
  return { url, stop: async () => cluster?.stop(), createDatabase: () => freshDatabase(url) };
}

/** Whether tests on PostgreSQL can run. Prints a note if they cannot, and throws if they must. */
export function postgresAtHand(): boolean {
  if (citusUrl || process.env['TEST_DATABASE_URL'] || findPostgres()) return true;
  if (process.env['GEMBA_REQUIRE_POSTGRES'] === '1') throw new Error(postgresMissing);
  process.stderr.write(`Skipped: ${postgresMissing}\n`);
  return false;
}

/** Workers inherit the variable, and so share the cluster. */
export async function setup(): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  if (postgres && !citusUrl) process.env['TEST_DATABASE_URL'] = postgres.url;
  return async () => postgres?.stop();
}
