/** A request with what its answer may be. */
import type { OperationAddress } from '../openapi/shapes.ts';
import type { Actor } from './actor.ts';
import type { Sent } from './wire.ts';

export interface FuzzRequest extends Sent {
  kind: 'valid' | 'nearly valid' | 'hostile body' | 'hostile request' | 'hostile bytes';
  actor: Actor;
  place: OperationAddress;
  /** The request reaches its operation, so the document must contain the answer. Otherwise any problem is allowed. */
  isRouted: boolean;
  /** The server can see where the request ends, so others may share the connection. */
  isFramed: boolean;
}

/** The parts of a request. */
export interface RequestParts {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

export function requestBytes({ method, target, headers, body }: RequestParts): Buffer {
  const length = body ? { 'Content-Length': String(body.length) } : {};
  return Buffer.concat([headBytes({ method, target, headers: { ...length, ...headers } }), body ?? Buffer.alloc(0)]);
}

/** Headers are sent as Latin-1, so characters above it lose their high byte. */
export function headBytes({ method, target, headers }: RequestParts, version = 'HTTP/1.1'): Buffer {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} ${version}\r\n${lines.join('')}\r\n`, 'latin1');
}
