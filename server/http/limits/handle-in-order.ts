/**
 * Handles the requests of one connection one after another (HTTP/1.1 pipelining, RFC 9112, 9.3.2). Otherwise a client
 * could send many requests and read no response, and the server would hold all responses in memory.
 */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** No known client sends more requests before it reads a response. A client that sends more is disconnected. */
const waitingRequestsMax = 32;

export function handleInOrder(listener: RequestListener): RequestListener {
  const waitingBySocket = new WeakMap<Socket, (() => void)[]>();
  return (req, res) => {
    const { socket } = req;
    if (socket.destroyed) return;
    const handleRequest = () => {
      res.on('close', () => handleNext(socket));
      listener(req, res);
    };
    const waiting = waitingBySocket.get(socket);
    if (!waiting) {
      waitingBySocket.set(socket, []);
      handleRequest();
    } else if (waiting.length < waitingRequestsMax) waiting.push(handleRequest);
    else socket.destroy();
  };

  function handleNext(socket: Socket): void {
    const handleRequest = socket.destroyed ? undefined : waitingBySocket.get(socket)?.shift();
    if (handleRequest) handleRequest();
    else waitingBySocket.delete(socket);
  }
}
