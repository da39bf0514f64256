/** Two server processes on a PostgreSQL with a synchronous standby, whose primary dies now and then. */
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { startServerProcess } from '../contract/server-process.ts';
import { startFailoverCluster } from '../failover/cluster.ts';
import type { Programs } from '../failover/programs.ts';
import { findFreePort } from '../free-port.ts';
import { pickOne, randomBelow, type Random } from '../random.ts';
import { createAccountOn, operatorToken } from '../scenario/operations/failing-pair.ts';
import { RestartedServer, type Site } from './site.ts';

const lagMsMax = 500;
const deadMsMax = 3_000;

export async function openStandbySite(programs: Programs, random: Random): Promise<Site> {
  const cluster = await startFailoverCluster(programs);
  onTestFinished(() => cluster.end());
  const ports = [await findFreePort(), await findFreePort()];
  const servers: RestartedServer[] = [];
  for (const port of ports) {
    const environment = {
      DATABASE_URL: cluster.url,
      POKE_DATABASE_URL: cluster.directUrl,
      DATABASE_POOLER: 'transaction',
      PORT: String(port),
      GEMBA_ADMIN_TOKEN: operatorToken,
      GEMBA_RATE_LIMIT: '1000000/60',
      LOG_LEVEL: 'error',
    };
    const start = () => {
      const server = startServerProcess(environment);
      cluster.processes.guard(server.child.pid!);
      return server;
    };
    const server = new RestartedServer(start, random);
    await server.untilListening();
    servers.push(server);
  }
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const account = await createAccountOn(urls[0]!);
  return {
    urls,
    key: account.key,
    faults: {
      'kill -9 of a server': () => pickOne(random, servers).killAndStart(),
      'a frozen server': () => pickOne(random, servers).freeze(),
      'kill -9 of the primary': async () => {
        const { node } = await cluster.killPrimary({ lagMs: randomBelow(random, lagMsMax) });
        await delay(randomBelow(random, deadMsMax));
        await cluster.startNode(node);
        await cluster.untilSynchronous();
      },
    },
    expectAlive: () => {
      for (const server of servers) server.expectAlive();
    },
  };
}
