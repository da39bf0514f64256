import { fingerprintText } from '../../shared/domain/recording-fingerprint.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { sha256 } from '../core/hash.ts';

/**
 * Hashes the target and steps of a recording, so that a repeated upload is recognized. Returns '' for other mutations.
 */
export function recordingFingerprint(mutation: Mutation): string {
  if (mutation.name === 'upload_recording') {
    return sha256(fingerprintText({ mapId: mutation.args.map_id }, mutation.args.steps));
  }
  if (mutation.name === 'record_new_map') {
    return sha256(fingerprintText({ newMapName: mutation.args.name }, mutation.args.steps));
  }
  return '';
}
