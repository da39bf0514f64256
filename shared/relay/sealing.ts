/**
 * Seals and opens messages by Oblivious HTTP (RFC 9458, 4): a request for the holder of a key, and its answer, which
 * only the sender of the request can open. All cryptography is WebCrypto's, by way of @hpke/core (RFC 9180).
 *
 *   sealed request   key id, KEM, KDF, AEAD │ the sender's ephemeral public key │ encrypted Binary HTTP request
 *   sealed answer    nonce │ encrypted Binary HTTP response
 */
import {
  Aes128Gcm,
  Aes256Gcm,
  CipherSuite,
  DhkemP256HkdfSha256,
  DhkemX25519HkdfSha256,
  HkdfSha256,
  HpkeError,
  type EncryptionContext,
} from '@hpke/core';
import {
  ByteReader,
  concat,
  decodeOrUndefined,
  throwMalformed,
  uint16,
  uint8,
  utf8,
  type Bytes,
} from './byte-reader.ts';
import { aeadIds, kdfId, kemOfId, kems, type AeadId, type KemName, type PublicKey } from './key-list.ts';
import { receiptLabel, receiptSecretBytes } from './receipt.ts';

/** The data that the sender stores to open the answer later, even after a restart. */
export interface AnswerSecret {
  aead: AeadId;
  /** The sender's ephemeral public key. */
  ephemeral: Bytes;
  secret: Bytes;
}

interface SealOptions {
  key: PublicKey;
  request: Bytes;
  /** Only test vectors pass this. Otherwise each message gets a new key pair. */
  ephemeralKeys?: CryptoKeyPair;
}

export async function sealRequest({
  key,
  request,
  ephemeralKeys,
}: SealOptions): Promise<{ sealed: Bytes; answerSecret: AnswerSecret; receiptSecret: Bytes }> {
  const [aead] = key.aeads;
  const suite = suiteOf(key.kem, aead);
  const header = encodeHeader({ keyId: key.id, kem: key.kem, aead });
  const recipientPublicKey = await suite.kem.deserializePublicKey(key.bytes);
  const ekm = ephemeralKeys ? { ekm: ephemeralKeys } : {};
  const context = await suite.createSenderContext({ recipientPublicKey, info: hpkeInfoOf(header), ...ekm });
  const ephemeral = new Uint8Array(context.enc);
  const sealed = concat(header, ephemeral, new Uint8Array(await context.seal(request)));
  const answerSecret = { aead, ephemeral, secret: await exportSecret(context, aead) };
  return { sealed, answerSecret, receiptSecret: await exportReceiptSecret(context) };
}

export interface OpenedRequest {
  request: Bytes;
  /** The HMAC key of the request's receipt, which the sender derives, too. */
  receiptSecret: Bytes;
  sealAnswer(answer: Bytes): Promise<Bytes>;
}

/** Opens a sealed request. Returns undefined if it was sealed for another key, or changed since. */
export async function openRequest(
  keys: { kem: KemName; pair: CryptoKeyPair },
  sealed: Bytes,
): Promise<OpenedRequest | undefined> {
  const parts = readSealedRequest(sealed);
  if (!parts || parts.kem !== keys.kem) return undefined;
  const { header, aead, ephemeral, ciphertext } = parts;
  try {
    const suite = suiteOf(keys.kem, aead);
    const context = await suite.createRecipientContext({
      recipientKey: keys.pair,
      enc: ephemeral,
      info: hpkeInfoOf(header),
    });
    const request = new Uint8Array(await context.open(ciphertext));
    const answerSecret = { aead, ephemeral, secret: await exportSecret(context, aead) };
    const receiptSecret = await exportReceiptSecret(context);
    return { request, receiptSecret, sealAnswer: (answer) => sealAnswer(answerSecret, answer) };
  } catch (error) {
    if (error instanceof HpkeError) return undefined;
    throw error;
  }
}

/** Seals an answer with a new nonce. Only test vectors pass a nonce. */
export async function sealAnswer(
  answerSecret: AnswerSecret,
  answer: Bytes,
  nonce: Bytes = crypto.getRandomValues(new Uint8Array(secretBytes[answerSecret.aead])),
): Promise<Bytes> {
  const { key, iv } = await deriveAnswerKey(answerSecret, nonce);
  return concat(nonce, new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, answer)));
}

/** Opens a sealed answer. Returns undefined if it does not answer this secret's request, or was changed since. */
export async function openAnswer(answerSecret: AnswerSecret, sealed: Bytes): Promise<Bytes | undefined> {
  const nonceBytes = secretBytes[answerSecret.aead];
  if (sealed.length < nonceBytes) return undefined;
  const { key, iv } = await deriveAnswerKey(answerSecret, sealed.subarray(0, nonceBytes));
  try {
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed.subarray(nonceBytes));
    return new Uint8Array(opened);
  } catch {
    // WebCrypto throws if the tag does not match.
    return undefined;
  }
}

/** Returns the key id of a sealed request; undefined if this version cannot open such a message. */
export function keyIdOf(sealed: Bytes): number | undefined {
  return readSealedRequest(sealed)?.keyId;
}

interface Header {
  keyId: number;
  kem: KemName;
  aead: AeadId;
}

const headerBytes = 7;

const encodeHeader = ({ keyId, kem, aead }: Header): Bytes =>
  concat(uint8(keyId), uint16(kems[kem].id), uint16(kdfId), uint16(aead));

function readSealedRequest(sealed: Bytes) {
  return decodeOrUndefined(() => {
    const reader = new ByteReader(sealed);
    const keyId = reader.uint8();
    const kem = kemOfId(reader.uint16()) ?? throwMalformed('the KEM is unknown');
    if (reader.uint16() !== kdfId) throwMalformed('the KDF is unknown');
    const aeadId = reader.uint16();
    const aead = aeadIds.find((id) => id === aeadId) ?? throwMalformed('the AEAD is unknown');
    const ephemeral = reader.bytes(kems[kem].keyBytes);
    return { header: sealed.subarray(0, headerBytes), keyId, kem, aead, ephemeral, ciphertext: reader.rest() };
  });
}

const hpkeInfoOf = (header: Bytes): Bytes => concat(utf8('message/bhttp request'), uint8(0), header);

/**
 * The length of the exported secret and of the answer's nonce, by cipher. Both are as long as the cipher's key, since
 * the key is longer than the cipher's nonce (RFC 9458, 4.4).
 */
const secretBytes: Readonly<Record<AeadId, number>> = { 1: 16, 2: 32 };

async function exportSecret(context: EncryptionContext, aead: AeadId): Promise<Bytes> {
  return new Uint8Array(await context.export(utf8('message/bhttp response'), secretBytes[aead]));
}

async function exportReceiptSecret(context: EncryptionContext): Promise<Bytes> {
  return new Uint8Array(await context.export(utf8(receiptLabel), receiptSecretBytes));
}

async function deriveAnswerKey({ aead, ephemeral, secret }: AnswerSecret, nonce: Bytes) {
  const salt = concat(ephemeral, nonce);
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const derive = async (info: string, bytes: number) =>
    new Uint8Array(
      await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info: utf8(info) }, material, bytes * 8),
    );
  const key = await crypto.subtle.importKey('raw', await derive('key', secretBytes[aead]), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
  return { key, iv: await derive('nonce', 12) };
}

const kemClasses = { x25519: DhkemX25519HkdfSha256, p256: DhkemP256HkdfSha256 } satisfies Record<KemName, unknown>;
const aeadClasses = { 1: Aes128Gcm, 2: Aes256Gcm } satisfies Record<AeadId, unknown>;

function suiteOf(kem: KemName, aead: AeadId): CipherSuite {
  return new CipherSuite({ kem: new kemClasses[kem](), kdf: new HkdfSha256(), aead: new aeadClasses[aead]() });
}
