/** Tracks the open connections, so that a shutdown can close unused connections instead of waiting for them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface OpenConnections {
  /** Closes the connections without a request under way. */
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
      // Browsers open connections in advance. Node counts such a connection as idle only after its first response.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
