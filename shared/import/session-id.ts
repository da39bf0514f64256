/** Returns the recording session id of an imported recording, which makes its upload idempotent. */
import { fingerprintText } from '../domain/recording-fingerprint.ts';
import type { FileRecording } from './file-recording.ts';

/** Returns the SHA-256 of a text in lower-case hex. */
export type Sha256 = (text: string) => string | Promise<string>;

/**
 * Returns the session id in the file, or derives one from the recording's key, map, start and steps. The key alone is
 * not enough, since other tools number the cases of each file anew.
 */
export async function sessionIdOf({ key, map, started_at, steps }: FileRecording, sha256: Sha256): Promise<string> {
  if (key.column === 'recording_session_id') return key.text;
  const content = fingerprintText({ newMapName: map.name || map.id }, steps);
  return `import-${await sha256(JSON.stringify([key.column, key.text, started_at ?? null, content]))}`;
}
