/** The contract of a store, run on both drivers. Each `open` on a database stands for another server process. */
import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { credentialPromises } from './contract-credentials.ts';
import { accountPromises } from './contract-accounts.ts';
import { answerPromises } from './contract-answers.ts';
import { changesPromises } from './contract-changes.ts';
import { fleetPromises } from './contract-fleet.ts';
import { readPromises } from './contract-reads.ts';
import { transactPromises } from './contract-transact.ts';
import type { FreshDatabase, StoreUnderTest } from './store-under-test.ts';

export function storeContract(name: string, newDatabase: () => Promise<FreshDatabase>): void {
  describe(`${name} store`, () => {
    let database: FreshDatabase;
    let store: Store;
    beforeAll(async () => {
      database = await newDatabase();
      store = await database.open();
    });
    afterAll(async () => {
      await store?.close();
      await database?.remove();
    });
    const subject: StoreUnderTest = { store: () => store, open: () => database.open(), newDatabase };
    transactPromises(subject);
    readPromises(subject);
    changesPromises(subject);
    answerPromises(subject);
    accountPromises(subject);
    credentialPromises(subject);
    fleetPromises(subject);
  });
}
