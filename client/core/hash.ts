import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';

/**
 * SHA-256 in lower-case hex over the RFC 8785 text of the steps. The server compares it to check that all steps
 * arrived.
 */
export async function recordingDigest(steps: RecordingStep[]): Promise<string> {
  return sha256(canonicalJson(steps));
}

/** SHA-256 in lower-case hex. */
export async function sha256(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
