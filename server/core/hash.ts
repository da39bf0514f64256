/** What tells a repeated request from another one under the same key. */
import { createHash } from 'node:crypto';
import { fingerprintText } from '../../shared/domain/recording.ts';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';

/** Of a recording's target and steps; '' for the mutations that are no recordings. */
export function recordingFingerprint(mutation: Mutation): string {
  if (mutation.name === 'upload_recording') {
    return sha256(fingerprintText({ mapId: mutation.args.map_id }, mutation.args.steps));
  }
  if (mutation.name === 'record_new_map') {
    return sha256(fingerprintText({ newMapName: mutation.args.name }, mutation.args.steps));
  }
  return '';
}

/** Of a request, whatever the order of its fields. `route` names the method, the path and its parameters. */
export function requestFingerprint(route: unknown[], body: unknown): string {
  return sha256(canonicalJson([route, body]));
}

/** In lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
