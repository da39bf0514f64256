/**
 * Seals (encrypts) stored replies that contain a secret, such as a new API key or a pairing code. The encryption key is
 * derived from the caller's token. A repeated request brings the token, so the server can decrypt the stored reply. A
 * thief of the database has only the token's hash.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { World } from './world.ts';

export interface ReplySeal {
  encrypt(body: unknown): unknown;
  decrypt(stored: unknown): unknown;
}

const cipherAlgorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Makes the seal of one reply. A nonce must not be used twice, so each reply needs a seal of its own. */
export function createReplySeal(token: string, world: World): ReplySeal {
  const key = Buffer.from(hkdfSync('sha256', token, '', 'gemba: an answer to an idempotency key', 32));
  const nonce = world.randomBytes(nonceBytes);
  return {
    encrypt(body) {
      const cipher = createCipheriv(cipherAlgorithm, key, nonce);
      const text = Buffer.concat([cipher.update(JSON.stringify(body), 'utf8'), cipher.final()]);
      return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64') };
    },
    decrypt(stored) {
      const bytes = Buffer.from((stored as { sealed: string }).sealed, 'base64');
      const decipher = createDecipheriv(cipherAlgorithm, key, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
      return JSON.parse(text.toString('utf8'));
    },
  };
}
