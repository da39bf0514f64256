/** Replicache with its memory store. */
import { randomUUID } from 'node:crypto';
import { Replicache } from 'replicache';
import type { Contender, Device, DeviceAddress } from '../contender.ts';
import { toDocument } from '../work.ts';
import { spacesOn, startPeerProcess } from './peer-process.ts';

interface ReplicacheOptions {
  /** Whether the server compresses what the device pulls. */
  gzip?: boolean;
}

export const replicache = (options: ReplicacheOptions = {}): Contender => ({
  async start(dataDir) {
    const server = await startPeerProcess('replicache', dataDir);
    return {
      url: server.url,
      ...spacesOn(server.url),
      openDevice: (address) => openDevice(address, options),
      stop: () => server.stop(),
    };
  },
});

/** No push begins by itself before `settle` asks for it. */
const pushDelayMs = 3_600_000;

/** A push that fails resolves all the same, so it is tried again, and a server that takes none ends the benchmark. */
const attemptsMax = 100;

function openDevice({ url, space }: DeviceAddress, { gzip = false }: ReplicacheOptions): Promise<Device> {
  const device = new Replicache({
    name: randomUUID(),
    kvStore: 'mem',
    pushURL: `${url}/push?space=${space}`,
    pullURL: `${url}/pull?space=${space}${gzip ? '&gzip' : ''}`,
    pushDelay: pushDelayMs,
    pullInterval: null,
    logLevel: 'error',
    mutators: { put: (tx, document) => tx.set(document.id, document) },
  });
  let hasRecorded = false;
  return Promise.resolve({
    async record(recordings) {
      hasRecorded = true;
      for (const recording of recordings) await device.mutate.put(toDocument(recording));
    },
    async settle() {
      const isPending = async () => hasRecorded && (await device.experimentalPendingMutations()).length > 0;
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        if (await isPending()) await device.push({ now: true });
        await device.pull({ now: true });
        if (!(await isPending())) return;
      }
      throw new Error(`Replicache has sent nothing in ${attemptsMax} attempts`);
    },
    count: () => device.query(async (tx) => (await tx.scan().keys().toArray()).length),
    close: () => device.close(),
  });
}
