/** The vectors that native devices and carriers are built against. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  type HttpField,
} from '../../../shared/relay/binary-http.ts';
import { encodeFrame, FrameReader, messageIdOf, serverNameOf, type Frame } from '../../../shared/relay/frames.ts';
import { aeadIds, decodeKeyList, type AeadId, type KemName } from '../../../shared/relay/key-list.ts';
import { importKeyPair } from '../../../shared/relay/key-pair.ts';
import { openAnswer, openRequest, sealAnswer, sealRequest } from '../../../shared/relay/sealing.ts';
import { fromBase45, toBase45 } from '../../../shared/relay/base45.ts';
import { CodeCollector, codeTextsOf, decodeCode } from '../../../shared/relay/code-frames.ts';
import { receiptOf, receiptPattern } from '../../../shared/relay/receipt.ts';
import { fromHex, toHex } from './hex.ts';

interface KeyVector {
  id: number;
  private_key: string;
  public_key: string;
}

interface MessageVector {
  fields: HttpField[];
  content: string;
}

interface SealedVector {
  about: string;
  kem: KemName;
  aead: AeadId;
  ephemeral_private_key: string;
  ephemeral_public_key: string;
  request: MessageVector & { method: string; scheme: string; authority: string; path: string };
  binary_request: string;
  sealed_request: string;
  id: string;
  secret: string;
  answer: MessageVector & { status: number };
  binary_answer: string;
  nonce: string;
  sealed_answer: string;
  receipt_secret: string;
  receipts: { last_seq: number; refused: boolean; receipt: string }[];
}

interface Vectors {
  keys: Record<KemName, KeyVector> & { list: string };
  sealed: SealedVector[];
  server_names: { origin: string; name: string }[];
  frames: { frame: Exclude<Frame, { bytes: unknown }> | { type: 'give'; bytes: string }; bytes: string }[];
  refused_frames: { about: string; bytes: string }[];
  base45: { plain: string; encoded: string }[];
  codes: { about: string; server: string; id: string; sealed_request: string; codes: string[] }[];
  refused_codes: { about: string; text: string }[];
}

const url = new URL('../../../docs/relay-vectors.json', import.meta.url);
const vectors = JSON.parse(await readFile(url, 'utf8')) as Vectors;

const pairOf = (kem: KemName, { private_key, public_key }: Pick<KeyVector, 'private_key' | 'public_key'>) =>
  importKeyPair(kem, { privateKey: fromHex(private_key), publicKey: fromHex(public_key) });

const withBytes = ({ content, ...message }: MessageVector) => ({
  ...message,
  content: Uint8Array.from(new TextEncoder().encode(content)),
});

test.each(vectors.sealed)('[RELAY-20] [CODES-7] $about is sealed and opened as the vectors have it', async (vector) => {
  const { kem, aead, ephemeral_private_key: private_key, ephemeral_public_key: public_key } = vector;
  const keys = vectors.keys[kem];
  const request = { ...vector.request, ...withBytes(vector.request) };
  expect(toHex(encodeRequest(request))).toBe(vector.binary_request);
  expect(decodeRequest(fromHex(vector.binary_request))).toEqual({ ...request, trailers: [] });
  const { sealed, answerSecret, receiptSecret } = await sealRequest({
    key: { id: keys.id, kem, bytes: fromHex(keys.public_key), aeads: [aead] },
    request: fromHex(vector.binary_request),
    ephemeralKeys: await pairOf(kem, { private_key, public_key }),
  });
  expect(toHex(sealed)).toBe(vector.sealed_request);
  expect(await messageIdOf(sealed)).toBe(vector.id);
  expect(toHex(answerSecret.secret)).toBe(vector.secret);
  const opened = await openRequest({ kem, pair: await pairOf(kem, keys) }, sealed);
  expect(toHex(opened!.request)).toBe(vector.binary_request);

  expect(toHex(receiptSecret)).toBe(vector.receipt_secret);
  expect(toHex(opened!.receiptSecret)).toBe(vector.receipt_secret);
  for (const { last_seq: lastSeq, refused: isRefused, receipt } of vector.receipts) {
    expect(await receiptOf({ secret: receiptSecret, lastSeq, isRefused })).toBe(receipt);
    expect(receipt).toMatch(receiptPattern);
  }

  const answer = { ...vector.answer, ...withBytes(vector.answer) };
  expect(toHex(encodeResponse(answer))).toBe(vector.binary_answer);
  expect(decodeResponse(fromHex(vector.binary_answer))).toEqual({ ...answer, trailers: [] });
  const sealedAnswer = await sealAnswer(answerSecret, fromHex(vector.binary_answer), fromHex(vector.nonce));
  expect(toHex(sealedAnswer)).toBe(vector.sealed_answer);
  expect(toHex((await openAnswer(answerSecret, sealedAnswer))!)).toBe(vector.binary_answer);
});

test('[RELAY-20] the list of keys is that of the vectors', () => {
  const { x25519, p256, list } = vectors.keys;
  expect(decodeKeyList(fromHex(list))).toEqual([
    { id: x25519.id, kem: 'x25519', bytes: fromHex(x25519.public_key), aeads: aeadIds },
    { id: p256.id, kem: 'p256', bytes: fromHex(p256.public_key), aeads: aeadIds },
  ]);
});

test('[RELAY-20] [RELAY-21] frames are written and read as the vectors have them, and broken ones are refused', async () => {
  for (const { origin, name } of vectors.server_names) expect(await serverNameOf(origin)).toBe(name);
  for (const { frame, bytes } of vectors.frames) {
    const read = ('bytes' in frame ? { ...frame, bytes: fromHex(frame.bytes) } : frame) as Frame;
    expect(toHex(encodeFrame(read))).toBe(bytes);
    expect(new FrameReader().push(fromHex(bytes))).toEqual([read]);
  }
  for (const { about, bytes } of vectors.refused_frames) {
    expect([about, new FrameReader().push(fromHex(bytes))]).toEqual([about, undefined]);
  }
});

test('[CODES-7] codes are written and read as the vectors have them, and others are left out', async () => {
  for (const { plain, encoded } of vectors.base45) {
    const bytes = Uint8Array.from(new TextEncoder().encode(plain));
    expect([toBase45(bytes), fromBase45(encoded)]).toEqual([encoded, bytes]);
  }
  for (const { server, id, sealed_request, codes } of vectors.codes) {
    const request = fromHex(sealed_request);
    expect(codeTextsOf({ server, id, request })).toEqual(codes);
    const collector = new CodeCollector(server);
    const collected = await Promise.all(codes.toReversed().map((code) => collector.add(code)));
    expect(collected.at(-1)).toMatchObject({ kind: 'whole', id, request });
    const ofOther = new CodeCollector('0000000000000000');
    expect(await ofOther.add(codes[0]!)).toMatchObject({ kind: 'other_server' });
  }
  for (const { about, text } of vectors.refused_codes) expect([about, decodeCode(text)]).toEqual([about, undefined]);
});
