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
    const servers = await openServers({ dataDir, databaseUrl: await postgres!.freshDatabase() });
    return { ...servers, close: () => servers.close().finally(remove) };
  });
});
