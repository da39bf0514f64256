/** Sends a response in pieces, so that the server can tell a slow reader from a reader that takes nothing. */
import type { ServerResponse } from 'node:http';

/** Even a reader at 1 kB/s takes a piece of this size within the timeout of a minute. */
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
