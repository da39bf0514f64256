/**
 * Pairing codes: 40 random bits in Crockford's base32 (https://www.crockford.com/base32.html), shown as XXXX-XXXX.
 *
 * The store has only a slow hash of a code, salted with the store's epoch. An attacker who reads the database could try all
 * 2^40 codes against a fast hash within seconds. With scrypt and these parameters, one core needs centuries.
 */
import { scrypt } from 'node:crypto';
import type { World } from '../core/world.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const lookalikes: Record<string, string> = { O: '0', I: '1', L: '1' };
const codeLength = 8;

/** Returns the eight characters of a new code, without the hyphen. */
export function makePairingCode(world: World): string {
  // All characters are equally likely, since 32 divides 256.
  return Array.from(world.randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('');
}

export function formatPairingCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Normalizes the text that a person typed. Invalid characters stay, so that the text's hash matches no code. */
export function normalizePairingCode(text: string): string {
  const characters = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return Array.from(characters, (character) => lookalikes[character] ?? character).join('');
}

interface PairingHashes {
  code: string;
  /** The hash of the first half of the code. Wrong guesses with the same first half share one limit. */
  half: string;
}

/** Hashes any text, valid or not, so that the time of a reply does not reveal whether the text could be a code. */
export async function pairingHashes(code: string, epoch: string): Promise<PairingHashes> {
  const [whole, half] = await Promise.all([slowHash(code, epoch), slowHash(code.slice(0, 4), epoch)]);
  return { code: whole, half };
}

/** With these parameters, one hash takes about 10 ms and 4 MB. */
const scryptCost = { N: 4096, r: 8, p: 1 };

function slowHash(text: string, epoch: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(text, `gemba pairing ${epoch}`, 16, scryptCost, (error, hash) => {
      if (error) reject(error);
      else resolve(hash.toString('hex'));
    });
  });
}
