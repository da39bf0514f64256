/** The example of RFC 9458, appendix A, both KEMs with both ciphers, and hostile bytes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concat, uint16, type Bytes } from '../../../shared/relay/byte-reader.ts';
import { aeadIds, decodeKeyList, encodeKeyList, type KemName } from '../../../shared/relay/key-list.ts';
import { deriveKeyPair, importKeyPair } from '../../../shared/relay/key-pair.ts';
import { keyIdOf, openAnswer, openRequest, sealAnswer, sealRequest } from '../../../shared/relay/sealing.ts';
import { fromHex, toHex } from './hex.ts';

const rfc = {
  privateKey: fromHex('3c168975674b2fa8e465970b79c8dcf09f1c741626480bd4c6162fc5b6a98e1a'),
  publicKey: fromHex('31e1f05a740102115220e9af918f738674aec95f54db6e04eb705aae8e798155'),
  keyConfig: fromHex('01002031e1f05a740102115220e9af918f738674aec95f54db6e04eb705aae8e79815500080001000100010003'),
  ephemeralPrivateKey: fromHex('bc51d5e930bda26589890ac7032f70ad12e4ecb37abb1b65b1256c9c48999c73'),
  ephemeral: fromHex('4b28f881333e7c164ffc499ad9796f877f4e1051ee6d31bad19dec96c208b472'),
  request: fromHex('00034745540568747470730b6578616d706c652e636f6d012f'),
  sealedRequest:
    '010020000100014b28f881333e7c164ffc499ad9796f877f4e1051ee6d31bad19dec96c208b4726374e469135906992e1268c594d2a10c695d858c40a026e7965e7d86b83dd440b2c0185204b4d63525',
  secret: '62d87a6ba569ee81014c2641f52bea36',
  nonce: fromHex('c789e7151fcba46158ca84b04464910d'),
  answer: fromHex('0140c8'),
  sealedAnswer: 'c789e7151fcba46158ca84b04464910d86f9013e404feea014e7be4a441f234f857fbd',
};

test('[RELAY-1] the example of RFC 9458 is sealed and opened byte by byte, request and answer', async () => {
  // The last cipher of the example, ChaCha20-Poly1305, is none of ours.
  const [key] = decodeKeyList(concat(uint16(rfc.keyConfig.length), rfc.keyConfig)) ?? [];
  expect(key).toEqual({ id: 1, kem: 'x25519', bytes: rfc.publicKey, aeads: [1] });
  const ephemeralKeys = await importKeyPair('x25519', {
    privateKey: rfc.ephemeralPrivateKey,
    publicKey: rfc.ephemeral,
  });
  const { sealed, answerSecret } = await sealRequest({ key: key!, request: rfc.request, ephemeralKeys });
  expect(toHex(sealed)).toBe(rfc.sealedRequest);
  expect(toHex(answerSecret.secret)).toBe(rfc.secret);

  const pair = await importKeyPair('x25519', rfc);
  const opened = await openRequest({ kem: 'x25519', pair }, fromHex(rfc.sealedRequest));
  expect(opened?.request).toEqual(rfc.request);
  expect(toHex(await sealAnswer(answerSecret, rfc.answer, rfc.nonce))).toBe(rfc.sealedAnswer);
  expect(await openAnswer(answerSecret, fromHex(rfc.sealedAnswer))).toEqual(rfc.answer);
});

const kemNames: KemName[] = ['x25519', 'p256'];

async function newKey(kem: KemName, seed = 1) {
  const bytes = await deriveKeyPair(kem, new Uint8Array(32).fill(seed));
  return { bytes, pair: await importKeyPair(kem, bytes) };
}

test.each(kemNames.flatMap((kem) => aeadIds.map((aead) => [kem, aead] as const)))(
  '[RELAY-4] a request to a key of %s with cipher %s opens with this key alone, and its answer with what its sender kept',
  async (kem, aead) => {
    const { bytes, pair } = await newKey(kem);
    const key = { id: 7, kem, bytes: bytes.publicKey, aeads: [aead] as const };
    const { sealed, answerSecret } = await sealRequest({ key, request: rfc.request });
    const again = await sealRequest({ key, request: rfc.request });
    expect(keyIdOf(sealed)).toBe(7);
    const opened = await openRequest({ kem, pair }, sealed);
    expect(opened?.request).toEqual(rfc.request);
    const answer = await opened!.sealAnswer(rfc.answer);
    expect(await openAnswer(answerSecret, answer)).toEqual(rfc.answer);
    expect(await openAnswer(again.answerSecret, answer)).toBeUndefined();
    expect(toHex(await opened!.sealAnswer(rfc.answer))).not.toBe(toHex(answer));

    const other = await newKey(kem, 2);
    expect(await openRequest({ kem, pair: other.pair }, sealed)).toBeUndefined();
    for (let at = 0; at < sealed.length; at += 3) {
      expect(await openRequest({ kem, pair }, withChangedByte(sealed, at))).toBeUndefined();
    }
    for (let at = 0; at < answer.length; at += 3) {
      expect(await openAnswer(answerSecret, withChangedByte(answer, at))).toBeUndefined();
    }
  },
);

function withChangedByte(bytes: Bytes, at: number): Bytes {
  const changed = Uint8Array.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

test('[RELAY-3] any bytes are opened as a request, an answer or a list of keys without an exception', async () => {
  const { bytes, pair } = await newKey('x25519');
  const key = { id: 1, kem: 'x25519', bytes: bytes.publicKey, aeads: aeadIds } as const;
  const { sealed, answerSecret } = await sealRequest({ key, request: rfc.request });
  const list = encodeKeyList([key]);
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 120 }),
    fc.nat(sealed.length).map((length) => sealed.subarray(0, length)),
    fc.tuple(fc.nat(38), fc.uint8Array({ maxLength: 60 })).map(([kept, rest]) => concat(sealed.slice(0, kept), rest)),
    fc.tuple(fc.nat(list.length - 1), fc.nat(255)).map(([at, value]) => list.with(at, value)),
  );
  const property = fc.asyncProperty(hostile, async (given) => {
    const sent = Uint8Array.from(given);
    if (toHex(sent) !== toHex(sealed)) expect(await openRequest({ kem: 'x25519', pair }, sent)).toBeUndefined();
    expect(await openAnswer(answerSecret, sent)).toBeUndefined();
    const keys = decodeKeyList(sent);
    if (keys) expect(decodeKeyList(encodeKeyList(keys))).toEqual(keys);
  });
  const seed = process.env['GEMBA_SEED'];
  await fc.assert(property, { numRuns: 500, ...(seed === undefined ? {} : { seed: Number(seed) }) });
});

test('[RELAY-5] a list of keys keeps their order, and leaves out those of other kinds', async () => {
  const x25519 = { id: 2, kem: 'x25519', bytes: (await newKey('x25519')).bytes.publicKey, aeads: aeadIds } as const;
  const p256 = { id: 1, kem: 'p256', bytes: (await newKey('p256')).bytes.publicKey, aeads: aeadIds } as const;
  const x448 = fromHex(`07${'0021'}${'00'.repeat(56)}${'0004'}${'00010001'}`);
  const listed = concat(encodeKeyList([x25519]), uint16(x448.length), x448, encodeKeyList([p256]));
  expect(decodeKeyList(listed)).toEqual([x25519, p256]);
  expect(decodeKeyList(listed.slice(0, -1))).toBeUndefined();
});
