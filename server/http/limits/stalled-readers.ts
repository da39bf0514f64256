/**
 * Closes the connection of a client that reads nothing of its response. Node would keep the response in memory for
 * ever.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface StalledReaders {
  /** Switches to the shorter timeout while the server shuts down. */
  hurry(): void;
}

interface ReaderTimeouts {
  /** How long a client may read no byte of a response. */
  stalledMsMax: number;
  drainingStalledMsMax: number;
}

interface Progress {
  bytesTaken: number;
  since: number;
}

/** The number of checks within one timeout. */
const checksPerTimeout = 6;

export function closeStalledReaders(server: Server, timeouts: ReaderTimeouts): StalledReaders {
  const open = new Map<Socket, Progress>();
  let msMax = timeouts.stalledMsMax;

  const check = () => {
    const now = performance.now();
    for (const [socket, before] of open) {
      const waiting = socket.writableLength;
      const bytesTaken = socket.bytesWritten - waiting;
      if (waiting === 0 || bytesTaken !== before.bytesTaken) open.set(socket, { bytesTaken, since: now });
      else if (now - before.since >= msMax) socket.destroy();
    }
  };
  let timer = setInterval(check, msMax / checksPerTimeout).unref();

  server.on('connection', (socket: Socket) => {
    open.set(socket, { bytesTaken: 0, since: performance.now() });
    socket.once('close', () => open.delete(socket));
  });
  server.on('close', () => clearInterval(timer));
  return {
    hurry() {
      clearInterval(timer);
      msMax = timeouts.drainingStalledMsMax;
      timer = setInterval(check, msMax / checksPerTimeout).unref();
    },
  };
}
