/** Hashes of requests and texts. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';

/** Hashes a request, whatever the order of its fields. `operation` has the operation's name and the ids in its path. */
export function requestFingerprint(operation: unknown[], body: unknown): string {
  return sha256(canonicalJson([operation, body]));
}

/** Returns the hash as lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
