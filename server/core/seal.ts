/**
 * Seals an answer that holds a secret (a new key, a pairing code) with the token of who was answered. The store has only
 * that token's hash, so that who reads the store cannot open it, while who repeats the request brings the token along.
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

/** For one answer: each has a nonce of its own. */
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
      return JSON.parse(text.toString('utf8')) as unknown;
    },
  };
}
