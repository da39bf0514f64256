/** PouchDB with its memory adapter. It replicates to the server or from it, whichever the work needs. */
import { randomUUID } from 'node:crypto';
import httpAdapter from 'pouchdb-adapter-http';
import memoryAdapter from 'pouchdb-adapter-memory';
import PouchDb from 'pouchdb-core';
import replication from 'pouchdb-replication';
import type { Contender, Device, DeviceAddress } from '../contender.ts';
import { toDocument, type Document } from '../work.ts';
import { batchesOf, startPeerProcess } from './peer-process.ts';

const Databases = PouchDb.plugin(memoryAdapter).plugin(httpAdapter).plugin(replication);

/** The size of a batch in this comparison. Others were not tried. */
const replicationOptions = { batch_size: 1_000 };

const toPouch = ({ id, kind, body }: Document): object => ({ _id: id, kind, body });

export const pouchdb: Contender = {
  async start(dataDir) {
    const server = await startPeerProcess('pouchdb', dataDir);
    const newSpace = async () => {
      const space = `bench-${randomUUID()}`;
      const response = await fetch(`${server.url}/${space}`, { method: 'PUT' });
      if (!response.ok) throw new Error(`pouchdb: ${response.status} ${await response.text()}`);
      return space;
    };
    return {
      url: server.url,
      newSpace,
      async filledSpace({ maps, runs }) {
        const space = await newSpace();
        const remote = new Databases(`${server.url}/${space}`, { skip_setup: true });
        for (const batch of batchesOf([...maps, ...runs].map(toPouch), 1_000)) await remote.bulkDocs(batch);
        await remote.close();
        return space;
      },
      openDevice,
      stop: () => server.stop(),
    };
  },
};

function openDevice({ url, space }: DeviceAddress): Promise<Device> {
  const local = new Databases(randomUUID(), { adapter: 'memory' });
  const remote = new Databases(`${url}/${space}`, { skip_setup: true });
  let recorded = 0;
  let unsent = 0;
  return Promise.resolve({
    async record(recordings) {
      await local.bulkDocs(recordings.map((recording) => toPouch(toDocument(recording))));
      recorded += recordings.length;
      unsent += recordings.length;
    },
    async settle() {
      if (recorded === 0) return void (await local.replicate.from(remote, replicationOptions));
      const { docs_written } = await local.replicate.to(remote, replicationOptions);
      if (docs_written !== unsent) throw new Error(`pouchdb: ${docs_written} of ${unsent} written`);
      unsent = 0;
    },
    count: async () => (await local.info()).doc_count,
    async close() {
      await remote.close();
      await local.destroy();
    },
  });
}
