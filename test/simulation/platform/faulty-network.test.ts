import { expect, test } from 'vitest';
import { FaultyNetwork } from './faulty-network.ts';
import type { FleetServer } from './fleet-server.ts';
import { ServerLog } from './server-log.ts';
import { VirtualTime } from './virtual-time.ts';

test('[SIM-17] a request that is given up ends at once, though the server does not answer', async () => {
  const server: Pick<FleetServer, 'ask'> = { ask: () => new Promise(() => {}) };
  const network = new FaultyNetwork({
    server: server as FleetServer,
    log: new ServerLog(new VirtualTime()),
    delayed: { late: [], overtaken: [] },
    faults: [],
    letsStreamsOpen: true,
    pageChangesMax: 1_000,
    firstPageChangesMax: 1_000,
    onFault: () => {},
    onExchange: () => {},
  });
  const controller = new AbortController();
  const answering = network.fetch('http://gemba.test/api/v1/sync/pull', { signal: controller.signal });
  controller.abort();
  await expect(answering).rejects.toThrow('given up');
});
