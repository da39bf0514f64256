/** Sends a body in pieces. stalled-readers.ts closes the connection if the client takes no piece for a minute. */
import type { ServerResponse } from 'node:http';

/** A slow client that reads 1 kB/s takes 32 seconds for a piece, less than the timeout of a minute. */
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
