/**
 * Closes requests that arrive too slowly. A poor connection may be slow, but a client must not hold a connection
 * without sending.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Arrival {
  /**
   * A request may take this long at any speed. It may take this long again each time that enough bytes arrived
   * meanwhile and the response is not sent yet: the rest of a refused request is not waited for.
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
  const checkArrival = () => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const arrived = socket.bytesRead - before;
    before = socket.bytesRead;
    if (arrived * 1_000 >= spanMs * bytesPerSecMin && !response.writableEnded) return;
    clearInterval(timer);
    onTooSlow();
  };
  // After a busy time, received bytes may still wait in the socket. `setImmediate` lets Node read these bytes before
  // the check.
  const timer = setInterval(() => setImmediate(checkArrival), spanMs).unref();
  request.once('close', () => clearInterval(timer));
}
