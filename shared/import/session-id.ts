/** The recording session of an imported recording, which makes its upload idempotent. */
import { fingerprintText } from '../domain/recording-fingerprint.ts';
import type { FileRecording } from './file-recording.ts';

/** Returns the SHA-256 of a text in lower-case hex. */
export type Sha256 = (text: string) => string | Promise<string>;

/**
 * Without a session id, the file's own key, the map as the file names it, the start and the steps make one. Other tools give
 * their cases numbers that begin anew in each file, so that the key alone would not do.
 */
export async function sessionIdOf({ key, map, started_at, steps }: FileRecording, sha256: Sha256): Promise<string> {
  if (key.column === 'recording_session_id') return key.text;
  const content = fingerprintText({ newMapName: map.name || map.id }, steps);
  return `import-${await sha256(JSON.stringify([key.column, key.text, started_at ?? null, content]))}`;
}
