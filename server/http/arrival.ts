/** Ends requests whose body arrives too slowly, so that a client cannot hold a connection without sending. */
import type { IncomingMessage, ServerResponse } from 'node:http';

interface BodyArrivalLimits {
  /**
   * The interval of the checks. A check calls `onTooSlow` if the body came slower than `bytesPerSecMin`, or if the app
   * has already sent the response and the body still arrives.
   */
  checkIntervalMs: number;
  bytesPerSecMin: number;
  onTooSlow: () => void;
}

export function watchBodyArrival(
  request: IncomingMessage,
  response: ServerResponse,
  { checkIntervalMs, bytesPerSecMin, onTooSlow }: BodyArrivalLimits,
): void {
  const { headers, socket } = request;
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return;
  let bytesBefore = socket.bytesRead;
  const checkArrival = () => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const bytesArrived = socket.bytesRead - bytesBefore;
    bytesBefore = socket.bytesRead;
    if (bytesArrived * 1_000 >= checkIntervalMs * bytesPerSecMin && !response.writableEnded) return;
    clearInterval(timer);
    onTooSlow();
  };
  // If the process was busy, received bytes may still wait in the socket. `setImmediate` lets Node read these bytes
  // before the check.
  const timer = setInterval(() => setImmediate(checkArrival), checkIntervalMs).unref();
  request.once('close', () => clearInterval(timer));
}
