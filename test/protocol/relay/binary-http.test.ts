/** The examples of RFC 9292, section 5, and hostile bytes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
  type HttpField,
} from '../../../shared/relay/binary-http.ts';
import { concat, varint, type Bytes } from '../../../shared/relay/byte-reader.ts';
import { fromBase64url, toBase64url } from '../../../shared/relay/base64url.ts';
import { checkProperty } from '../../domain/check-property.ts';
import { fromHex, toHex } from './hex.ts';

/** Figure 8. */
const knownLengthRequest =
  '0003474554056874747073000a2f68656c6c6f2e747874406c0a757365722d6167656e74346375726c2f372e31362e33206c69626375726c2f372e31362e33204f70656e53534c2f302e392e376c207a6c69622f312e322e3304686f73740f7777772e6578616d706c652e636f6d0f6163636570742d6c616e677561676506656e2c206d690000';
/** Figure 9 has an unknown length. */
const unknownLengthRequest =
  '0203474554056874747073000a2f68656c6c6f2e7478740a757365722d6167656e74346375726c2f372e31362e33206c69626375726c2f372e31362e33204f70656e53534c2f302e392e376c207a6c69622f312e322e3304686f73740f7777772e6578616d706c652e636f6d0f6163636570742d6c616e677561676506656e2c206d6900000000000000000000000000';
/** Figure 13. */
const responseWithTrailer =
  '0140c8001d5468697320636f6e74656e7420636f6e7461696e732043524c462e0d0a0d07747261696c65720474657874';

const fields: HttpField[] = [
  ['user-agent', 'curl/7.16.3 libcurl/7.16.3 OpenSSL/0.9.7l zlib/1.2.3'],
  ['host', 'www.example.com'],
  ['accept-language', 'en, mi'],
];
const request = { method: 'GET', scheme: 'https', authority: '', path: '/hello.txt', fields };
const noBytes = new Uint8Array();
const seeds = [knownLengthRequest, unknownLengthRequest, responseWithTrailer].map(fromHex);

test('[RELAY-2] the examples of known length in RFC 9292 decode to their messages and encode to their bytes', () => {
  expect(decodeRequest(fromHex(knownLengthRequest))).toEqual({ ...request, content: noBytes, trailers: [] });
  expect(toHex(encodeRequest({ ...request, content: noBytes }))).toBe(knownLengthRequest);
  const content = new TextEncoder().encode('This content contains CRLF.\r\n');
  const response = { status: 200, fields: [], content, trailers: [['trailer', 'text'] as const] };
  expect(decodeResponse(fromHex(responseWithTrailer))).toEqual(response);
  expect(toHex(encodeResponse(response))).toBe(responseWithTrailer);
  expect(decodeRequest(fromHex(unknownLengthRequest))).toBeUndefined();
});

test('[RELAY-2] numbers have the lengths of RFC 9000, appendix A.1', () => {
  const numbers = [37, 15_293, 494_878_333, 2 ** 30, 0, 63, 64];
  expect(numbers.map((number) => toHex(varint(number)))).toEqual([
    '25',
    '7bbd',
    '9d7f3e7d',
    'c000000040000000',
    '00',
    '3f',
    '4040',
  ]);
});

test('[RELAY-2] empty sections at the end may be left out, zeros may follow, and interim responses are skipped', () => {
  const whole = fromHex(knownLengthRequest);
  for (const cut of [1, 2]) expect(decodeRequest(whole.subarray(0, -cut))).toEqual(decodeRequest(whole));
  expect(decodeRequest(concat(whole, new Uint8Array(10)))).toEqual(decodeRequest(whole));
  expect(decodeRequest(concat(whole, new Uint8Array(10), Uint8Array.of(1)))).toBeUndefined();
  expect(decodeResponse(fromHex('0140670040c800'))).toMatchObject({ status: 200 });
});

test.each([
  ['an upper-case name', { fields: [['Accept', 'a']] }, false],
  ['a pseudo-field', { fields: [[':path', '/']] }, true],
  ['a line end in a value', { fields: [['accept', 'a\r\nb: c']] }, true],
  ['a space before a value', { fields: [['accept', ' a']] }, true],
  ['no ASCII in a value', { fields: [['accept', 'ä']] }, true],
  ['a path without a slash', { path: 'hello.txt' }, true],
  ['a space in a path', { path: '/a b' }, true],
  ['a method with a space', { method: 'GET /' }, true],
  ['65 fields', { fields: Array.from({ length: 65 }, (_, index) => [`x-${index}`, '']) }, true],
] as [string, object, boolean][])('[RELAY-3] %s is refused or written as HTTP wants it', (_, change, isRefused) => {
  const decoded = decodeRequest(encodeRequest({ ...request, content: noBytes, ...change }));
  expect(decoded === undefined).toBe(isRefused);
});

test('[RELAY-3] any bytes are a message or undefined, and a message encodes to one that is equal', () => {
  const anyBytes = fc.uint8Array({ maxLength: 80 }).map((bytes) => Uint8Array.from(bytes));
  const changed = fc
    .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.nat())
    .map(([seed, changes, length]) => {
      const bytes: Bytes = Uint8Array.from(seed);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      return length % 3 === 0 ? bytes : bytes.slice(0, length % (bytes.length + 1));
    });
  const property = fc.property(fc.oneof(anyBytes, changed), (bytes) => {
    const decodedRequest = decodeRequest(bytes);
    if (decodedRequest) expect(decodeRequest(encodeRequest(decodedRequest))).toEqual(decodedRequest);
    const decodedResponse = decodeResponse(bytes);
    if (decodedResponse) expect(decodeResponse(encodeResponse(decodedResponse))).toEqual(decodedResponse);
  });
  checkProperty(property, { examples: 3_000 });
});

test('[RELAY-3] base64url gives back each byte, and no other text is taken', () => {
  checkProperty(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
      const text = toBase64url(Uint8Array.from(bytes));
      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(text)).toEqual(Uint8Array.from(bytes));
    }),
    { examples: 100 },
  );
  for (const text of ['a', 'ab=', 'a+b/', 'a b', 'ä']) expect(fromBase64url(text)).toBeUndefined();
});
