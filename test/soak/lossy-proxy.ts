/** A proxy that loses, tears, holds and delays what it carries, as its random numbers say. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { randomBelow, type Random } from '../random.ts';

export interface LossyProxy {
  url: string;
  /** The server's address. Connections that are open keep theirs. */
  target: string;
  /** False: everything passes. */
  isLossy: boolean;
  /** True: no connection opens, and those that are open break. */
  isDown: boolean;
  /** Counts the connections that it broke. */
  readonly broken: number;
  close(): Promise<void>;
}

const stallMsMax = 3_000;
const delayMsMax = 50;

export async function openLossyProxy(target: string, random: Random): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  let [isDown, broken] = [false, 0];
  const server = createServer((near) => {
    if (isDown) return void near.destroy();
    const { hostname, port } = new URL(proxy.target);
    const far = connect(Number(port), hostname);
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay(true));
      socket.on('error', cut).on('close', () => sockets.delete(socket));
    }
    carry(near, far, cut);
    carry(far, near, cut);
  });
  const carry = (from: Socket, to: Socket, cut: () => void) => {
    let sent = Promise.resolve();
    const lose = () => {
      broken++;
      cut();
    };
    from.on('data', (chunk) => {
      const fate = proxy.isLossy ? random() : 1;
      sent = sent.then(async () => {
        if (fate < 0.03) return lose();
        if (fate < 0.06) return void to.write(chunk.subarray(0, chunk.length / 2), lose);
        if (fate < 0.08) await delay(randomBelow(random, stallMsMax));
        else if (fate < 0.2) await delay(randomBelow(random, delayMsMax));
        to.write(chunk);
      });
    });
    from.on('close', () => void sent.then(() => to.end()));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const proxy: LossyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    isLossy: false,
    get isDown() {
      return isDown;
    },
    set isDown(now: boolean) {
      isDown = now;
      if (isDown) for (const socket of sockets) socket.destroy();
    },
    get broken() {
      return broken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}
