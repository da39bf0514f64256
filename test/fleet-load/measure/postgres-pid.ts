/** Finds the process of PostgreSQL, whose children serve the connections. */
import pg from 'pg';
import { parentOf } from './process-usage.ts';

/** The parent of a connection's process. A database on another machine has no such process here. */
export async function findPostgresPid(databaseUrl: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(new URL(databaseUrl).hostname);
    return isLocal && rows[0] ? parentOf(rows[0].pid) : undefined;
  } finally {
    await client.end();
  }
}
