/** Makes and drops databases of a running PostgreSQL. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

export const freshDatabaseName = () => `gemba_test_${randomBytes(6).toString('hex')}`;

/** Makes a new, empty database beside the one of `url`, and returns its URL. */
export async function freshDatabase(url: string): Promise<string> {
  const name = freshDatabaseName();
  await runAt(url, `CREATE DATABASE ${name} TEMPLATE template0`);
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  return fresh.href;
}

/** Drops a database that `freshDatabase` made, also while connections to it are open. */
export const dropDatabase = (url: string, fresh: string): Promise<void> =>
  runAt(url, `DROP DATABASE ${new URL(fresh).pathname.slice(1)} WITH (FORCE)`);

async function runAt(url: string, sql: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(sql);
  await admin.end();
}
