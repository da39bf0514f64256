/** A proxy before the server that holds each push until it is released. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface PushHoldingProxy {
  url: string;
  /** Resolves when a push is held, with the function that releases it. */
  held(): Promise<() => void>;
}

export async function startPushHoldingProxy(to: string): Promise<PushHoldingProxy> {
  const waiting: (() => void)[] = [];
  let arrived = () => {};
  const proxy = createServer((asked, answer) => {
    const goOn = () => forward(to, asked, answer);
    if (asked.url !== '/api/v1/sync/push') return goOn();
    waiting.push(goOn);
    arrived();
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    held: async () => {
      if (waiting.length === 0) await new Promise<void>((resolve) => (arrived = resolve));
      return waiting.shift()!;
    },
  };
}

/** Passes a request on. If the connection to one side breaks, the connection to the other side is broken, too. */
function forward(to: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url } = asked;
  const onward = request(`${to}${url}`, { method, headers }, (answered) => {
    answer.writeHead(answered.statusCode!, answered.headers);
    answered.pipe(answer);
    answered.on('error', () => answer.destroy());
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}
