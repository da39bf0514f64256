/**
 * Closes the connection of a client that does not read its response. Node would keep the response in memory for ever.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface StalledReaderMonitor {
  /** Shortens the timeout, so that stalled clients do not delay a shutdown. */
  useDrainingTimeout(): void;
}

interface ReaderTimeouts {
  /** Limits how long a client may leave a response unread before the connection is closed. */
  stalledMsMax: number;
  drainingStalledMsMax: number;
}

interface ReadProgress {
  bytesTaken: number;
  unchangedSince: number;
}

const checksPerTimeout = 6;

export function watchStalledReaders(
  server: Server,
  timeouts: ReaderTimeouts,
  openedEvent: 'connection' | 'secureConnection',
): StalledReaderMonitor {
  const open = new Map<Socket, ReadProgress>();
  let msMax = timeouts.stalledMsMax;

  const check = () => {
    const now = performance.now();
    for (const [socket, before] of open) {
      const waiting = socket.writableLength;
      const bytesTaken = socket.bytesWritten - waiting;
      if (waiting === 0 || bytesTaken !== before.bytesTaken) open.set(socket, { bytesTaken, unchangedSince: now });
      else if (now - before.unchangedSince >= msMax) socket.destroy();
    }
  };
  let timer = setInterval(check, msMax / checksPerTimeout).unref();

  server.on(openedEvent, (socket: Socket) => {
    open.set(socket, { bytesTaken: 0, unchangedSince: performance.now() });
    socket.once('close', () => open.delete(socket));
  });
  server.on('close', () => clearInterval(timer));
  return {
    useDrainingTimeout() {
      clearInterval(timer);
      msMax = timeouts.drainingStalledMsMax;
      timer = setInterval(check, msMax / checksPerTimeout).unref();
    },
  };
}
