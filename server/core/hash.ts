/** What tells a repeated request from another one under the same key. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';

/** Of a request, whatever the order of its fields. `route` names the method, the path and its parameters. */
export function requestFingerprint(route: unknown[], body: unknown): string {
  return sha256(canonicalJson([route, body]));
}

/** In lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
