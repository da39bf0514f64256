/** The bytes of an answer, piece by piece, so that a slow reader can be told from one who takes nothing. */
import type { ServerResponse } from 'node:http';

/** A reader at 1 kB/s takes one within the minute that it has. */
const pieceBytes = 32 * 1024;

/** Ends the response; its head, without `Content-Length`, must be set. */
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
