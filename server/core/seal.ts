/**
 * Encrypts remembered answers that contain a secret, such as a new key or a pairing code. The key is derived from the
 * caller's token. The store has only the token's hash, so a reader of the store cannot decrypt the answer, while a repeated
 * request brings the token along.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { World } from './world.ts';

export interface Seal {
  close(body: unknown): unknown;
  open(stored: unknown): unknown;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Makes a seal for one answer, since each answer needs a nonce of its own. */
export function sealWith(token: string, world: World): Seal {
  const key = Buffer.from(hkdfSync('sha256', token, '', 'gemba: an answer to an idempotency key', 32));
  const nonce = world.randomBytes(nonceBytes);
  return {
    close(body) {
      const cipher = createCipheriv(algorithm, key, nonce);
      const text = Buffer.concat([cipher.update(JSON.stringify(body), 'utf8'), cipher.final()]);
      return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64') };
    },
    open(stored) {
      const bytes = Buffer.from((stored as { sealed: string }).sealed, 'base64');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
      return JSON.parse(text.toString('utf8'));
    },
  };
}
