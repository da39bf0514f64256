/**
 * The receipt of a sealed push, which a person types in from the carrier's screen: the first 40 bits of an HMAC-SHA256
 * whose key only the device and the holder of the server's key have. It proves to the person that the server answered
 * every mutation of the push, and shows whether the server refused any.
 */
import { base32Alphabet, formatTypedCode, typedCodeLength } from './base32.ts';
import { concat, uint32, uint8, type Bytes } from './byte-reader.ts';

/** The header with the receipt, on the response that the carrier gets. */
export const receiptHeader = 'Gemba-Receipt' as const;
export const receiptPattern = /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;

/** The label and the length of the secret that HPKE exports for receipts (RFC 9180, 5.3). */
export const receiptLabel = 'gemba receipt';
export const receiptSecretBytes = 32;

const bitsPerCharacter = 5;

export interface ReceiptFacts {
  secret: Bytes;
  /** The last sequence number of the push. */
  lastSeq: number;
  /** True if the server refused any mutation of the push. */
  isRefused: boolean;
}

export async function receiptOf({ secret, lastSeq, isRefused }: ReceiptFacts): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, hmac, false, ['sign']);
  const seq = concat(uint32(Math.floor(lastSeq / 2 ** 32)), uint32(lastSeq % 2 ** 32));
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, concat(seq, uint8(Number(isRefused)))));
  const bits = Array.from(mac.subarray(0, 5), (byte) => byte.toString(2).padStart(8, '0')).join('');
  const characters = Array.from({ length: typedCodeLength }, (_, at) => {
    const digits = bits.slice(at * bitsPerCharacter, (at + 1) * bitsPerCharacter);
    return base32Alphabet[Number.parseInt(digits, 2)] ?? '';
  });
  return formatTypedCode(characters.join(''));
}
