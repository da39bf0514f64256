/**
 * The list of the server's public keys as `application/ohttp-keys` (RFC 9458, 3.2): key configurations, each after its
 * length in two bytes. The server lists its newest key of each kind.
 */
import { ByteReader, concat, decodeOrUndefined, uint16, uint8, type Bytes } from './byte-reader.ts';

/** The key encapsulation mechanism (KEM), by which the sender and the key's holder agree on a secret. */
export type KemName = 'x25519' | 'p256';

export interface PublicKey {
  /** The number of the key in sealed requests, from 0 to 255. */
  id: number;
  kem: KemName;
  bytes: Bytes;
  /** The ciphers (AEAD) that the key's holder accepts, all with HKDF-SHA256. */
  aeads: readonly [AeadId, ...AeadId[]];
}

/** The number of a cipher: 1 is AES-128-GCM, 2 is AES-256-GCM (RFC 9180, 7.3). */
export type AeadId = 1 | 2;
export const aeadIds: readonly [AeadId, AeadId] = [1, 2];

/** The number of HKDF-SHA256 (RFC 9180, 7.2). */
export const kdfId = 1;

/**
 * The number of each KEM (RFC 9180, 7.1), and the length of its public keys, including the ephemeral one in a sealed
 * request.
 */
export const kems: Readonly<Record<KemName, { id: number; keyBytes: number }>> = {
  x25519: { id: 0x0020, keyBytes: 32 },
  p256: { id: 0x0010, keyBytes: 65 },
};

export const kemOfId = (id: number): KemName | undefined =>
  (['x25519', 'p256'] as const).find((name) => kems[name].id === id);

const bytesPerAlgorithm = 4;

export function encodeKeyList(keys: readonly PublicKey[]): Bytes {
  const configs = keys.map(({ id, kem, bytes, aeads }) => {
    const algorithms = aeads.map((aead) => concat(uint16(kdfId), uint16(aead)));
    const algorithmBytes = uint16(algorithms.length * bytesPerAlgorithm);
    return concat(uint8(id), uint16(kems[kem].id), bytes, algorithmBytes, ...algorithms);
  });
  return concat(...configs.flatMap((config) => [uint16(config.length), config]));
}

/**
 * Decodes a list of keys, without keys that this version cannot use. Returns undefined if the bytes are no such list.
 */
export function decodeKeyList(bytes: Bytes): PublicKey[] | undefined {
  return decodeOrUndefined(() => {
    const reader = new ByteReader(bytes);
    const keys: PublicKey[] = [];
    while (!reader.isAtEnd) {
      const key = readKey(new ByteReader(reader.bytes(reader.uint16())));
      if (key) keys.push(key);
    }
    return keys;
  });
}

function readKey(config: ByteReader): PublicKey | undefined {
  const id = config.uint8();
  const kem = kemOfId(config.uint16());
  if (!kem) return undefined;
  const bytes = config.bytes(kems[kem].keyBytes);
  const algorithms = new ByteReader(config.bytes(config.uint16()));
  const aeads: AeadId[] = [];
  while (!algorithms.isAtEnd) {
    const kdf = algorithms.uint16();
    const aead = algorithms.uint16();
    const known = aeadIds.find((aeadId) => aeadId === aead);
    if (kdf === kdfId && known) aeads.push(known);
  }
  const [first, ...others] = aeads;
  return first ? { id, kem, bytes, aeads: [first, ...others] } : undefined;
}
