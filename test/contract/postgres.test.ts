import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { postgresAtHand, startPostgres, type TestPostgres } from '../postgres.ts';
import { serverContract } from './contract.ts';
import { openServers, temporaryFolder } from './fixture.ts';

describe.skipIf(!postgresAtHand())('on a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  serverContract(async () => {
    const { dataDir, remove } = temporaryFolder();
    const databaseUrl = await postgres!.createDatabase();
    const servers = await openServers({ dataDir, databaseUrl });
    return { ...servers, dump: () => dumpDatabase(databaseUrl), close: () => servers.close().finally(remove) };
  });
});

async function dumpDatabase(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ xml: string }>("SELECT schema_to_xml('public', true, false, '')::text AS xml");
  await client.end();
  return rows[0]!.xml;
}
