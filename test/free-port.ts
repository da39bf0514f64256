/** Finds a port for a server whose address must be known before it listens, or stay reserved while it is stopped. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems take the ports of connections and of port 0 from above this range, so a port of this range stays free. */
const [first, count] = [20_000, 10_000];
const triesMax = 1_000;

export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = first + Math.floor(Math.random() * count);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error(`${triesMax} ports were taken`);
}
