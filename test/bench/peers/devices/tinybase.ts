/** TinyBase: a mergeable store in memory over a WebSocket. */
import { createMergeableStore } from 'tinybase';
import { createWsSynchronizer, type Synchronizer } from 'tinybase/synchronizers/synchronizer-ws-client';
import { WebSocket } from 'ws';
import type { Contender, Device, DeviceAddress } from '../contender.ts';
import type { Documents } from '../work.ts';
import { postJson, spacesOn, startPeerProcess } from './peer-process.ts';

export const tinybase: Contender = {
  async start(dataDir) {
    const server = await startPeerProcess('tinybase', dataDir);
    const runCounts = new Map<string, number>();
    const spaces = spacesOn(server.url);
    const open = async (space: string) => {
      await postJson(`${server.url}/open?space=${space}`, {});
      return space;
    };
    return {
      url: server.url,
      newSpace: async () => open(await spaces.newSpace()),
      async filledSpace(documents: Documents) {
        const space = await spaces.filledSpace(documents);
        runCounts.set(space, documents.runs.length);
        return open(space);
      },
      openDevice: (address) => openDevice(address, { directUrl: server.url, runs: runCounts.get(address.space) ?? 0 }),
      stop: () => server.stop(),
    };
  },
};

/** The rows that the device shall get, and the address at which the server says, beside the line, what it has. */
interface Expected {
  directUrl: string;
  runs: number;
}

const socketOptions = { perMessageDeflate: false, maxPayload: 512 * 1024 * 1024 };

function openDevice({ url, space }: DeviceAddress, { directUrl, runs }: Expected): Promise<Device> {
  const store = createMergeableStore();
  let synchronizer: Synchronizer | undefined;
  let recorded = 0;
  return Promise.resolve({
    record(recordings) {
      store.transaction(() => {
        for (const recording of recordings) {
          store.setRow('run', recording.recording_session_id, { body: JSON.stringify(recording) });
        }
      });
      recorded += recordings.length;
      return Promise.resolve();
    },
    async settle() {
      const there = fetch(`${directUrl}/wait?space=${space}&count=${runs + recorded}`);
      if (!synchronizer) {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/${space}`, socketOptions);
        synchronizer = await createWsSynchronizer(store, socket, 600);
        await synchronizer.startSync();
      }
      await there;
      await new Promise<void>((resolve) => {
        const isHere = () => store.getRowCount('run') >= runs + recorded;
        if (isHere()) return resolve();
        const listener = store.addTableListener('run', () => {
          if (!isHere()) return;
          store.delListener(listener);
          resolve();
        });
      });
    },
    count: () => Promise.resolve(store.getRowCount('run')),
    close: async () => void (await synchronizer?.destroy()),
  });
}
