/** A proxy that stands for the line to a server: it counts the bytes, delays them and limits their rate. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Line {
  /** False: connections break, those that stand and those to come. */
  isUp: boolean;
  /** The target's URL, over this line. */
  url: string;
  /** Data arrives half a round trip later. 0 at first. */
  roundTripMs: number;
  /** The rate of each direction, which all connections share. Unlimited at first. */
  bytesPerSecMax: number;
  /** The bytes that went to the target and back so far, headers included. */
  bytesUp: number;
  bytesDown: number;
  close(): Promise<void>;
}

export async function openLine(targetUrl: string, { defaultPort }: { defaultPort: number }): Promise<Line> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (!line.isUp) return void near.destroy();
    const far = connect(Number(target.port || defaultPort), target.hostname);
    carry(near, far, { count: (bytes) => (line.bytesUp += bytes), deliver: deliverUp });
    carry(far, near, { count: (bytes) => (line.bytesDown += bytes), deliver: deliverDown });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  const breakConnections = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const deliverUp = deliveryInOrder(() => line);
  const deliverDown = deliveryInOrder(() => line);
  const carry = (from: Socket, to: Socket, { count, deliver }: Direction): void => {
    sockets.add(from.setNoDelay(true));
    from.on('data', (chunk) => {
      count(chunk.length);
      deliver(chunk.length, () => to.write(chunk));
    });
    from.on('error', () => to.destroy());
    from.on('close', () => deliver(0, () => to.end()));
  };
  let isUp = true;
  const line: Line = {
    // A URL of HTTP ends with a slash, to which callers would add another one.
    url: url.href.replace(/\/$/, ''),
    get isUp() {
      return isUp;
    },
    set isUp(value) {
      isUp = value;
      if (!isUp) breakConnections();
    },
    roundTripMs: 0,
    bytesPerSecMax: Number.POSITIVE_INFINITY,
    bytesUp: 0,
    bytesDown: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        breakConnections();
      }),
  };
  return line;
}

interface Direction {
  count: (bytes: number) => void;
  deliver: ReturnType<typeof deliveryInOrder>;
}

/** Returns a function that calls `send` once the line has carried that many bytes, in the order of the calls. */
function deliveryInOrder(line: () => Pick<Line, 'roundTripMs' | 'bytesPerSecMax'>) {
  const waiting: (() => void)[] = [];
  let freeAtMs = 0;
  return (bytes: number, send: () => void): void => {
    const { roundTripMs, bytesPerSecMax } = line();
    const now = performance.now();
    freeAtMs = Math.max(now, freeAtMs) + (bytes / bytesPerSecMax) * 1000;
    const delayMs = freeAtMs - now + roundTripMs / 2;
    if (delayMs < 1 && waiting.length === 0) return send();
    waiting.push(send);
    setTimeout(() => waiting.shift()!(), delayMs);
  };
}
