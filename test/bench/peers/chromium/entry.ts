/** The page of the peers in the browser: each function gets an account from the page's own origin and stores it. */
import { Dexie } from 'dexie';
import PouchDb from 'pouchdb-core';
import httpAdapter from 'pouchdb-adapter-http';
import idbAdapter from 'pouchdb-adapter-idb';
import replication from 'pouchdb-replication';
import { createRxDatabase } from 'rxdb/plugins/core';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { pullHandler, rxdbSchema, type PulledCheckpoint } from '../devices/rxdb-protocol.ts';
import type { Document } from '../work.ts';

/** Returns how many documents are stored. */
export type PeerSync = (space: string) => Promise<number>;

declare global {
  interface Window {
    peerSyncs: Record<'rxdb' | 'pouchdb' | 'dexie', PeerSync>;
  }
}

const Databases = PouchDb.plugin(idbAdapter).plugin(httpAdapter).plugin(replication);

const randomName = () => `peer${crypto.randomUUID().replaceAll('-', '')}`;

window.peerSyncs = {
  async rxdb(space) {
    const storage = getRxStorageDexie();
    const database = await createRxDatabase({ name: randomName(), storage, multiInstance: false });
    const { docs } = await database.addCollections({ docs: { schema: rxdbSchema } });
    const replicationState = replicateRxCollection<Document, PulledCheckpoint>({
      collection: docs!,
      replicationIdentifier: space,
      live: true,
      waitForLeadership: false,
      pull: { batchSize: 1_000, handler: pullHandler(`${location.origin}/api`, space) },
    });
    await replicationState.awaitInitialReplication();
    const { length } = await docs!.find().exec();
    await replicationState.cancel();
    await database.close();
    return length;
  },
  async pouchdb(space) {
    const local = new Databases(randomName(), { adapter: 'idb' });
    const remote = new Databases(`${location.origin}/api/${space}`, { skip_setup: true });
    await local.replicate.from(remote, { batch_size: 1_000 });
    const { doc_count } = await local.info();
    await local.close();
    return doc_count;
  },
  async dexie(space) {
    const database = new Dexie(randomName(), { chromeTransactionDurability: 'strict' });
    database.version(1).stores({ docs: 'id' });
    const documents = (await (await fetch(`/api/get?space=${space}`)).json()) as Document[];
    await database.table('docs').bulkPut(documents);
    const count = await database.table('docs').count();
    database.close();
    return count;
  },
};
