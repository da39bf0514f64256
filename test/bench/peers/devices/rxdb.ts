/** RxDB's own replication with memory storage, as its documentation sets it up for HTTP. */
import { randomUUID } from 'node:crypto';
import { createRxDatabase } from 'rxdb/plugins/core';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import type { Contender, Device, DeviceAddress } from '../contender.ts';
import { toDocument, type Document } from '../work.ts';
import { pullHandler, rxdbSchema, type PulledCheckpoint } from './rxdb-protocol.ts';
import { postJson, spacesOn, startPeerProcess } from './peer-process.ts';

interface RxDbOptions {
  /** With `push` the device pulls nothing back. */
  direction: 'both' | 'push';
  /** Whether the server compresses what the device pulls. */
  gzip?: boolean;
}

/** The sizes of the batches of this comparison. Others were not tried. */
const pushBatchSize = 500;
const pullBatchSize = 1_000;

export const rxdb = (options: RxDbOptions): Contender => ({
  async start(dataDir) {
    const server = await startPeerProcess('rxdb', dataDir);
    return {
      url: server.url,
      ...spacesOn(server.url),
      openDevice: (address) => openDevice(address, options),
      stop: () => server.stop(),
    };
  },
});

async function openDevice({ url, space }: DeviceAddress, { direction, gzip = false }: RxDbOptions): Promise<Device> {
  const name = `rxdb${randomUUID().replaceAll('-', '')}`;
  const database = await createRxDatabase({ name, storage: getRxStorageMemory(), multiInstance: false });
  const { docs } = await database.addCollections({ docs: { schema: rxdbSchema } });
  const pull = { batchSize: pullBatchSize, handler: pullHandler(url, space, gzip ? '&gzip' : '') };
  const start = () =>
    replicateRxCollection<Document, PulledCheckpoint>({
      collection: docs!,
      replicationIdentifier: url,
      live: true,
      waitForLeadership: false,
      push: {
        batchSize: pushBatchSize,
        handler: async (rows) =>
          (await postJson(`${url}/push?space=${space}`, rows)) as (Document & { _deleted: boolean })[],
      },
      ...(direction === 'both' ? { pull } : {}),
    });
  let replication: ReturnType<typeof start> | undefined;
  return {
    record: async (recordings) => void (await docs!.bulkInsert(recordings.map(toDocument))),
    async settle() {
      if (!replication) {
        replication = start();
        await replication.awaitInitialReplication();
      }
      await replication.awaitInSync();
      if (direction === 'push') return;
      // The server tells no device of changes here, so the device asks.
      replication.reSync();
      await replication.awaitInSync();
    },
    count: async () => (await docs!.find({ selector: { kind: 'run' } }).exec()).length,
    close: async () => {
      await replication?.cancel();
      await database.close();
    },
  };
}
