/** The contract of a store, run on both drivers. Each `open` on a database stands for another server process. */
import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { billingStoreContract } from '../billing/billing-store-contract.ts';
import { credentialStoreContract } from './contract-credentials.ts';
import { accountStoreContract } from './contract-accounts.ts';
import { answerStoreContract } from './contract-answers.ts';
import { changesStoreContract } from './contract-changes.ts';
import { fleetStoreContract } from './contract-fleet.ts';
import { photoReferenceContract } from '../photos/photo-reference-contract.ts';
import { photoStoreContract } from '../photos/photo-store-contract.ts';
import { readStoreContract } from './contract-reads.ts';
import { retentionStoreContract } from './contract-retention.ts';
import { snapshotStoreContract } from '../export/snapshot-store-contract.ts';
import { transactStoreContract } from './contract-transact.ts';
import { webhookStoreContract } from '../webhooks/webhook-store-contract.ts';
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
    transactStoreContract(subject);
    readStoreContract(subject);
    changesStoreContract(subject);
    answerStoreContract(subject);
    accountStoreContract(subject);
    credentialStoreContract(subject);
    fleetStoreContract(subject);
    photoStoreContract(subject);
    photoReferenceContract(subject);
    webhookStoreContract(subject);
    billingStoreContract(subject);
    retentionStoreContract(subject);
    snapshotStoreContract(subject);
  });
}
