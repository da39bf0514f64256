/**
 * Pairing codes: 40 random bits in Crockford's base32 (https://www.crockford.com/base32.html), shown as XXXX-XXXX.
 *
 * So few bits could be tried out against a plain hash in seconds, by whoever reads the database within the code's life.
 * Hence a slow one, salted with the store's epoch: 2^40 times scrypt at these settings are centuries of one core.
 */
import { scrypt } from 'node:crypto';
import type { World } from '../core/world.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const lookalikes: Record<string, string> = { O: '0', I: '1', L: '1' };
const codeLength = 8;

/** The eight characters, without the hyphen. */
export function makePairingCode(world: World): string {
  // 32 divides 256, so that no character is likelier than another.
  return Array.from(world.randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('');
}

export function shownPairingCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** What a person typed, in the characters of a code. What is none stays as it is, and is the hash of nothing. */
export function readPairingCode(text: string): string {
  const characters = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return Array.from(characters, (character) => lookalikes[character] ?? character).join('');
}

interface PairingHashes {
  code: string;
  /** Of the first half: what failures to guess the rest are counted by. */
  half: string;
}

/** Of any text, so that what cannot be a code takes the same time. */
export async function pairingHashes(code: string, epoch: string): Promise<PairingHashes> {
  const [whole, half] = await Promise.all([slowHash(code, epoch), slowHash(code.slice(0, 4), epoch)]);
  return { code: whole, half };
}

/** Some 10 ms and 4 MB. */
const cost = { N: 4096, r: 8, p: 1 };

function slowHash(text: string, epoch: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(text, `gemba pairing ${epoch}`, 16, cost, (error, hash) => {
      if (error) reject(error);
      else resolve(hash.toString('hex'));
    });
  });
}
