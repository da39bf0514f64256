/** Hashes of requests and texts. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';

/** Hashes a request. The order of its fields does not matter. `route` has the method, the path and the path's parameters. */
export function requestFingerprint(route: unknown[], body: unknown): string {
  return sha256(canonicalJson([route, body]));
}

/** Returns the hash as lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
