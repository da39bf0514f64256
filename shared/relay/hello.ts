/** The hello: the first frame of each side, as JSON. */
import { throwMalformed, type Bytes } from './byte-reader.ts';

export interface Hello {
  type: 'hello';
  /** The version of the frames. */
  v: number;
  role: 'device' | 'carrier';
  /** The first 8 bytes of the SHA-256 of the server's origin, in hex. */
  server: string;
  /** True if a carrier delivers now. A device always sends false. */
  online: boolean;
  /** How many bytes of sealed requests a carrier can still take. It is informative: nothing depends on it. */
  free_bytes: number;
  /** The id of a carrier, 8 bytes in hex. A device uses the ids to count the carriers that hold a message. */
  id?: string;
  /** True if the carrier accepts `ask` frames, whose requests it delivers at once. */
  live?: boolean;
}

/** Decodes a hello. Unknown fields of a later version are left out. */
export function decodeHello(bytes: Bytes): Hello {
  const { v, role, server, online, free_bytes, id, live } = jsonObject(bytes);
  if (!isCount(v) || !isCount(free_bytes) || typeof online !== 'boolean')
    return throwMalformed('the hello lacks a field');
  if (role !== 'device' && role !== 'carrier') return throwMalformed('the hello has no such role');
  if (!isHexName(server)) return throwMalformed('the hello names no server');
  // Both fields are optional, since a carrier of an earlier version has neither.
  const laterFields = { ...(isHexName(id) ? { id } : {}), ...(live === true ? { live } : {}) };
  return { type: 'hello', v, role, server, online, free_bytes, ...laterFields };
}

function jsonObject(bytes: Bytes): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return throwMalformed('the hello is not JSON');
  }
}

const isHexName = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{16}$/.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
