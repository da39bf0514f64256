/** One request as it goes out, and what is to be expected of its answer. */
import type { Place } from '../../server/openapi/reference/shapes.ts';
import type { Actor } from './actor.ts';
import type { Sent } from './wire.ts';

export interface FuzzRequest extends Sent {
  kind: 'valid' | 'nearly valid' | 'hostile body' | 'hostile request' | 'hostile bytes';
  actor: Actor;
  place: Place;
  /** It reaches the operation, so the answer has to be one that the document tells. Else any problem will do. */
  isRouted: boolean;
  /** Its end is where the server sees it, so that others may go before and after it on a connection. */
  isFramed: boolean;
}

/** A request in its parts. */
export interface Parts {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

export function framed({ method, target, headers, body }: Parts): Buffer {
  const length = body ? { 'Content-Length': String(body.length) } : {};
  return Buffer.concat([headOf({ method, target, headers: { ...length, ...headers } }), body ?? Buffer.alloc(0)]);
}

/** Latin-1, as headers are: what is above it is sent by its low bytes. */
export function headOf({ method, target, headers }: Parts, version = 'HTTP/1.1'): Buffer {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} ${version}\r\n${lines.join('')}\r\n`, 'latin1');
}
