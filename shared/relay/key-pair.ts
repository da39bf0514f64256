/** Derives the server's key pairs, and imports them from their bytes. */
import { DhkemP256HkdfSha256, DhkemX25519HkdfSha256, type KemInterface } from '@hpke/core';
import type { Bytes } from './byte-reader.ts';
import type { KemName } from './key-list.ts';

export interface KeyPairBytes {
  privateKey: Bytes;
  publicKey: Bytes;
}

/** Derives a key pair from at least 32 random bytes (RFC 9180, 7.1.3). */
export async function deriveKeyPair(kem: KemName, randomBytes: Bytes): Promise<KeyPairBytes> {
  const implementation = kemOf(kem);
  const pair = await implementation.deriveKeyPair(randomBytes);
  return {
    privateKey: new Uint8Array(await implementation.serializePrivateKey(pair.privateKey)),
    publicKey: new Uint8Array(await implementation.serializePublicKey(pair.publicKey)),
  };
}

export async function importKeyPair(kem: KemName, { privateKey, publicKey }: KeyPairBytes): Promise<CryptoKeyPair> {
  const implementation = kemOf(kem);
  return {
    privateKey: await implementation.deserializePrivateKey(privateKey),
    publicKey: await implementation.deserializePublicKey(publicKey),
  };
}

const kemOf = (kem: KemName): KemInterface =>
  kem === 'x25519' ? new DhkemX25519HkdfSha256() : new DhkemP256HkdfSha256();
