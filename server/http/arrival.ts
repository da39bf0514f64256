/** A request may be as slow as a poor line, but it has to come on: else anybody could hold a connection for nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Arrival {
  /**
   * So long a request may take at whatever speed, and so long again each time that enough of it came meanwhile and its
   * answer is not there: nobody waits for the rest of one that was refused by its head.
   */
  spanMs: number;
  bytesPerSecMin: number;
  onTooSlow: () => void;
}

export function watchArrival(
  request: IncomingMessage,
  response: ServerResponse,
  { spanMs, bytesPerSecMin, onTooSlow }: Arrival,
): void {
  const { headers, socket } = request;
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return;
  let before = socket.bytesRead;
  const look = () => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const arrived = socket.bytesRead - before;
    before = socket.bytesRead;
    if (arrived * 1_000 >= spanMs * bytesPerSecMin && !response.writableEnded) return;
    clearInterval(timer);
    onTooSlow();
  };
  // Of a process that was busy itself, what lies on the socket is read before it is looked at.
  const timer = setInterval(() => setImmediate(look), spanMs).unref();
  request.once('close', () => clearInterval(timer));
}
