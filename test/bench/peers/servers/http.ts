/**
 * The least HTTP server that a peer needs, without a framework, so that none slows a peer down. It compresses its response
 * where the address has `gzip`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzip } from 'node:zlib';

export interface PeerRequest {
  query: URLSearchParams;
  body: string;
}

type Body = string | Buffer;
/** Returns the body of the response. */
export type PeerRoute = (request: PeerRequest) => Body | Promise<Body>;

const compressedBytesMin = 1024;

export function servePeer(routes: Record<string, PeerRoute>): ReturnType<typeof createServer> {
  const server = createServer((request, response) => void answer(routes, request, response));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  process.once('SIGTERM', () => process.exit(0));
  return server;
}

async function answer(
  routes: Record<string, PeerRoute>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://peer');
  // The site of the browser's pages passes on what is under `/api`.
  const route = routes[pathname.replace(/^\/api/, '')];
  if (!route) return void response.writeHead(404).end();
  try {
    const text = await route({ query, body: await readBody(request) });
    response.setHeader('Content-Type', 'application/json');
    if (!query.has('gzip') || text.length < compressedBytesMin) return void response.end(text);
    response.setHeader('Content-Encoding', 'gzip');
    gzip(text, { level: 1 }, (_error, bytes) => response.end(bytes));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end(String(error));
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
