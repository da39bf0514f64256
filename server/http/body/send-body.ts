/** Sends a body in pieces. If the client takes no piece for a minute, the connection is closed (stalled-readers.ts). */
import type { ServerResponse } from 'node:http';

/** A client that reads 1 kB/s takes 32 seconds for a piece, which is less than the minute. */
const pieceBytes = 32 * 1024;

/** Sends the body and ends the response. The caller sets the status and all headers except `Content-Length`. */
export function sendBody(response: ServerResponse, body: Buffer): void {
  response.setHeader('Content-Length', String(body.length));
  if (response.req.method === 'HEAD') return void response.end();
  let sent = 0;
  const sendNext = (error?: Error | null) => {
    if (error || response.destroyed) return;
    const piece = body.subarray(sent, sent + pieceBytes);
    sent += piece.length;
    if (sent < body.length) response.write(piece, sendNext);
    else response.end(piece);
  };
  sendNext();
}
