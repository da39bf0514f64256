/** The connections that a server holds, so that a drain need not wait for those that nobody uses. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface OpenConnections {
  /** Closes those on which no request is under way. */
  closeIdle(): void;
}

export function trackConnections(server: Server): OpenConnections {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    closeIdle() {
      server.closeIdleConnections();
      // A browser's preconnect has sent nothing yet: to Node it is not idle, since no request on it was ever answered.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
