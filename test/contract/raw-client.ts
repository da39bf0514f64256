/** TCP connections that send what no HTTP library would. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawClient {
  socket: Socket;
  /** The text received so far. */
  answer(): string;
}

/** Connects, sends these bytes, and reads until the socket is paused. */
export async function openRawClient(port: number, bytes: string | Uint8Array = ''): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => void (answer += chunk));
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise<void>((resolve) => void socket.write(bytes, () => resolve()));
  return { socket, answer: () => answer };
}

export function requestHead(method: string, path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** One chunk of a chunked body that continues. */
export function bodyChunk(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}
