/** Lets a shutdown close the connections that have no request, instead of waiting for the clients to close them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface OpenConnections {
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
      // Node does not close a connection that never had a request. Browsers open such connections in advance.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
