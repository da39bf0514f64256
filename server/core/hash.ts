/** Hashes of requests and texts. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';

/** Hashes a request regardless of the order of its fields. `route` has the method, the path and its parameters. */
export function requestFingerprint(route: unknown[], body: unknown): string {
  return sha256(canonicalJson([route, body]));
}

/** Returns lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
