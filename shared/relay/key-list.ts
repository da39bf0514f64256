/**
 * The server's public keys as `application/ohttp-keys` (RFC 9458, 3.2): each key configuration follows its length in two
 * bytes. The newest key of a kind comes first.
 */
import { ByteReader, concat, decodeOrUndefined, uint16, uint8, type Bytes } from './byte-reader.ts';

/** Names the way in which a sender and the holder of a key agree on a secret (KEM). */
export type KemName = 'x25519' | 'p256';

export interface PublicKey {
  /** One byte, which names the key in each sealed request. */
  id: number;
  kem: KemName;
  bytes: Bytes;
  /** The numbers of the ciphers (AEAD) that the holder of the key takes, all of them with HKDF-SHA256. */
  aeads: readonly [AeadId, ...AeadId[]];
}

/** AES-128-GCM and AES-256-GCM (RFC 9180, 7.3). */
export type AeadId = 1 | 2;
export const aeadIds: readonly [AeadId, AeadId] = [1, 2];

/** HKDF-SHA256 (RFC 9180, 7.2). */
export const kdfId = 1;

/** The numbers of RFC 9180, 7.1, and the length of a public key, which is also that of the key in a sealed request. */
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

/** Leaves out keys that this version cannot use. Returns undefined if the bytes are no list of keys. */
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
