/** A line to the server on which pushes stand still until they are let go, one after the other. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SlowLine {
  url: string;
  /** Resolves when a push stands still, and with what lets it go. */
  held(): Promise<() => void>;
}

export async function slowLine(to: string): Promise<SlowLine> {
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

/** What breaks on one side breaks on the other. */
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
