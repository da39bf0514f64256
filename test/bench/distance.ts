/** A proxy that moves a database further away: data arrives half a round trip later, in order. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Distance {
  url: string;
  roundTripMs: number;
  close(): Promise<void>;
}

export async function openDistance(databaseUrl: string): Promise<Distance> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from.setNoDelay(true));
      from.on('data', (chunk) => later(() => to.write(chunk)));
      from.on('error', () => to.destroy());
      from.on('close', () => later(() => to.end()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  const distance: Distance = {
    url: url.href,
    roundTripMs: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  // Timers of one length fire in the order in which they were set.
  const later = (send: () => void): void => {
    if (distance.roundTripMs === 0) send();
    else setTimeout(send, distance.roundTripMs / 2);
  };
  return distance;
}
