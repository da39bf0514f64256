/** The first frame of each side, as JSON. */
import { malformed, type Bytes } from './byte-reader.ts';

export interface Hello {
  type: 'hello';
  /** The version of the frames. */
  v: number;
  role: 'device' | 'carrier';
  /** The first 8 bytes of the SHA-256 of the server's origin, in hex. */
  server: string;
  /** True if the sender reaches the server now. */
  online: boolean;
  /** How many bytes of sealed requests a carrier can take. Nothing decides by it. */
  free_bytes: number;
  /** Names a carrier, so that its device can count carriers: 8 bytes in hex that say nothing else. */
  id?: string;
  /** True if the carrier takes requests to deliver at once (`ask`). */
  live?: boolean;
}

/** Leaves out fields of a later version. */
export function decodeHello(bytes: Bytes): Hello {
  const { v, role, server, online, free_bytes, id, live } = jsonObject(bytes);
  if (!isCount(v) || !isCount(free_bytes) || typeof online !== 'boolean') return malformed('the hello lacks a field');
  if (role !== 'device' && role !== 'carrier') return malformed('the hello has no such role');
  if (!isName(server)) return malformed('the hello names no server');
  // A carrier of an earlier version has no id.
  const ofLater = { ...(isName(id) ? { id } : {}), ...(live === true ? { live } : {}) };
  return { type: 'hello', v, role, server, online, free_bytes, ...ofLater };
}

function jsonObject(bytes: Bytes): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return malformed('the hello is not JSON');
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{16}$/.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
