/** A port for a server whose address must be known before it listens, or stay its own while it is away. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections and to servers that ask for any: nobody comes by one of these by chance. */
const [first, count] = [20_000, 10_000];
const triesMax = 1_000;

export async function freePort(): Promise<number> {
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
