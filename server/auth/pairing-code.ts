/**
 * Pairing codes: 40 random bits, written in the base32 alphabet of shared/relay/base32.ts.
 *
 * The store has only a slow hash of a code, salted with the store's epoch. An attacker who reads the database could try
 * all 2^40 codes against a fast hash within seconds. With scrypt and these parameters, one core needs centuries.
 */
import { scrypt } from 'node:crypto';
import { base32Alphabet, typedCodeLength } from '../../shared/relay/base32.ts';
import type { World } from '../core/world.ts';

/** Returns the eight characters of a new code, without the hyphen. */
export function makePairingCode(world: World): string {
  // All characters are equally likely, since the 256 values of a byte are a multiple of the 32 characters.
  return Array.from(world.randomBytes(typedCodeLength), (byte) => base32Alphabet[byte % base32Alphabet.length]).join(
    '',
  );
}

interface PairingHashes {
  codeHash: string;
  /** The hash of the first half of the code. Wrong guesses with the same first half share one limit. */
  halfHash: string;
}

/** Hashes any text, valid or not, so that the time of a reply does not reveal whether the text could be a code. */
export async function hashPairingCode(code: string, epoch: string): Promise<PairingHashes> {
  const [codeHash, halfHash] = await Promise.all([slowHash(code, epoch), slowHash(code.slice(0, 4), epoch)]);
  return { codeHash, halfHash };
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
