/**
 * Handles the requests of one connection one after another (HTTP/1.1 pipelining, RFC 9112, 9.3.2). Without this order
 * and a limit, a client could send many requests and read no response, and the server would keep all responses in
 * memory.
 */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Exceeds the number of requests that any known client sends ahead. */
const waitingMax = 32;

export function handleInOrder(listener: RequestListener): RequestListener {
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
