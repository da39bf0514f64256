import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';

/**
 * Returns the SHA-256, in lower-case hex, of the steps as canonical JSON (RFC 8785). The server computes the same hash
 * to check that all steps have arrived.
 */
export async function recordingDigest(steps: RecordingStep[]): Promise<string> {
  return sha256(canonicalJson(steps));
}

/** Returns the SHA-256 of the text, in lower-case hex. */
export const sha256 = (text: string): Promise<string> => sha256OfBytes(new TextEncoder().encode(text));

/** Returns the SHA-256 of the bytes, in lower-case hex. */
export async function sha256OfBytes(bytes: BufferSource): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
