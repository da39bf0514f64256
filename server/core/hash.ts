import { hash } from 'node:crypto';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';

/**
 * Hashes a request. Bodies that differ only in the order of their fields get the same hash. `operation` is the
 * operation's name and the ids in its path.
 */
export function requestFingerprint(operation: unknown[], body: unknown): string {
  return sha256(canonicalJson([operation, body]));
}

/** Returns the hash as lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text);
}
