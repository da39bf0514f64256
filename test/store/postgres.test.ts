import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../postgres.ts';
import { storeContract } from './contract.ts';

describe.skipIf(!postgresAtHand())('on a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  storeContract('PostgreSQL', async () => {
    const url = await postgres!.freshDatabase();
    return { open: () => openPostgresStore({ url }), remove: async () => {} };
  });
});
