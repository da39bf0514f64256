/**
 * Requests that come before the earlier answer of their connection has left wait for it (RFC 9112, 9.3.2), and only so
 * many: else each would be worked on, and its whole answer kept for a reader who takes none.
 */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** More than any client is known to send ahead. */
const waitingMax = 32;

export function inTurn(listener: RequestListener): RequestListener {
  const waitingOn = new WeakMap<Socket, (() => void)[]>();
  return (req, res) => {
    const { socket } = req;
    if (socket.destroyed) return;
    const begin = () => {
      res.once('close', () => next(socket));
      listener(req, res);
    };
    const waiting = waitingOn.get(socket);
    if (!waiting) {
      waitingOn.set(socket, []);
      begin();
    } else if (waiting.length < waitingMax) waiting.push(begin);
    else socket.destroy();
  };

  function next(socket: Socket): void {
    const begin = socket.destroyed ? undefined : waitingOn.get(socket)?.shift();
    if (begin) begin();
    else waitingOn.delete(socket);
  }
}
