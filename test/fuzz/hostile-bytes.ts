/** Bytes that are barely HTTP, or not: wrong lengths, broken chunks, early ends. Each has a connection of its own. */
import fc from 'fast-check';
import { requestBytes, headBytes, type RequestParts } from './request.ts';

type Breaker = (parts: RequestParts & { body: Buffer }, n: number) => Buffer | string;

export function hostileBytes(parts: RequestParts): fc.Arbitrary<Buffer> {
  const body = parts.body ?? Buffer.from('{}');
  const headers = { 'Content-Type': 'application/json', ...parts.headers };
  const broken = fc.tuple(fc.constantFrom(...breakers), fc.nat());
  return broken.map(([make, n]) => {
    const bytes = make({ ...parts, headers, body }, n);
    return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  });
}

const withHeaders = (parts: RequestParts, more: Record<string, string>): Buffer =>
  headBytes({ ...parts, headers: { ...parts.headers, ...more } });

const chunk = (bytes: Buffer, extension = ''): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}${extension}\r\n`), bytes, Buffer.from('\r\n')]);

const chunked = (parts: RequestParts, ...rest: (Buffer | string)[]): Buffer =>
  Buffer.concat([
    withHeaders(parts, { 'Transfer-Encoding': 'chunked' }),
    ...rest.map((part) => Buffer.from(part as string)),
  ]);

/** Inserts text before the empty line that ends the head. */
const insertIntoHead = (parts: RequestParts, lines: string): Buffer => {
  const bytes = requestBytes(parts);
  const at = bytes.indexOf('\r\n\r\n') + 2;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(lines, 'latin1'), bytes.subarray(at)]);
};

const withContentLength =
  (length: string): Breaker =>
  (parts) =>
    Buffer.concat([withHeaders(parts, { 'Content-Length': length }), parts.body]);

const withHeadLines =
  (lines: string): Breaker =>
  (parts) =>
    insertIntoHead(parts, lines);

const breakers: Breaker[] = [
  ...['0', '1', '-1', '+5', '1e3', '0x10', '99999999999999999999', '5, 5', '5,6', ' ', '٣', '9007199254740993'].map(
    withContentLength,
  ),
  (parts) => withContentLength(String(parts.body.length - 1))(parts, 0),
  (parts) => withContentLength(String(parts.body.length + 1))(parts, 0),
  (parts) => withContentLength(String(parts.body.length + 100_000))(parts, 0),
  (parts) => chunked(parts, chunk(parts.body), '0\r\n\r\n'),
  (parts, n) => {
    const at = n % (parts.body.length || 1);
    return chunked(
      parts,
      chunk(parts.body.subarray(0, at + 1)),
      chunk(parts.body.subarray(at + 1), ';x=y'),
      '0\r\n\r\n',
    );
  },
  (parts) =>
    chunked(parts, ...Array.from(parts.body.subarray(0, 300), (byte) => chunk(Buffer.from([byte]))), '0\r\n\r\n'),
  (parts) => chunked(parts, chunk(parts.body), '0\r\nX-Trailer: 1\r\nContent-Length: 3\r\n\r\n'),
  (parts) => chunked(parts, chunk(parts.body)),
  (parts) => chunked(parts, chunk(parts.body), '0\r\n'),
  (parts) => chunked(parts, 'zz\r\n', parts.body, '\r\n0\r\n\r\n'),
  (parts) => chunked(parts, 'ffffffffffffffffff\r\n', parts.body),
  (parts) => chunked(parts, '-1\r\n', parts.body),
  (parts) => chunked(parts, `${parts.body.length.toString(16)};${'e'.repeat(20_000)}\r\n`, parts.body, '\r\n0\r\n\r\n'),
  (parts) => chunked(parts, '3\r\n', parts.body, '\r\n0\r\n\r\n'),
  (parts) => chunked(parts, '5\n{}   \n0\n\n'),
  (parts) =>
    chunked({ ...parts, headers: { ...parts.headers, 'Content-Length': '3' } }, chunk(parts.body), '0\r\n\r\n'),
  (parts) =>
    Buffer.concat([
      withHeaders(parts, { 'Transfer-Encoding': 'gzip, chunked' }),
      chunk(parts.body),
      Buffer.from('0\r\n\r\n'),
    ]),
  (parts) => Buffer.concat([withHeaders(parts, { 'Transfer-Encoding': 'identity' }), parts.body]),
  (parts) =>
    Buffer.concat([
      withHeaders(parts, { 'Transfer-Encoding': 'xchunked' }),
      chunk(parts.body),
      Buffer.from('0\r\n\r\n'),
    ]),
  (parts) => Buffer.concat([headBytes(parts), parts.body]),
  ...[
    'Content-Length: 1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Host: other\r\n',
    ' folded: yes\r\n',
    'No colon\r\n',
  ].map(withHeadLines),
  ...[
    'X-Nul: a\u0000b\r\n',
    'X-Bare: a\rb\r\n',
    'X-Lf: a\nY: b\r\n',
    ': empty\r\n',
    'Sp ace : x\r\n',
    '\u00e9: x\r\n',
  ].map(withHeadLines),
  ...['X-Ctl: \u0001\u007f\r\n', 'X-Fold: a\r\n b\r\n', 'Expect: 100-continue\r\n', 'Connection: close\r\n'].map(
    withHeadLines,
  ),
  withHeadLines(`X-Long: ${'x'.repeat(70_000)}\r\n`),
  withHeadLines('X-Many: x\r\n'.repeat(2_500)),
  withHeadLines(
    `Authorization: Bearer other\r\nContent-Type: text/plain\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\n`,
  ),
  (parts, n) => requestBytes(parts).subarray(0, n % requestBytes(parts).length),
  (parts, n) => {
    const bytes = requestBytes(parts);
    bytes[n % bytes.length] = n % 251;
    return bytes;
  },
  ...['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'http/1.1', 'HTTP/1.1x', ''].map(
    (version): Breaker =>
      (parts) =>
        headBytes({ ...parts, headers: { ...parts.headers, 'Content-Length': '0' } }, version),
  ),
  ...['CONNECT', 'get', 'GE T', 'NOSUCHMETHOD', '', 'PRI', '\u00e9', 'G\u0000T'].map(
    (method): Breaker =>
      (parts) =>
        requestBytes({ ...parts, method }),
  ),
  ...[
    '',
    ' ',
    '/a b',
    '/\u0000',
    '/\u007f',
    '/\n',
    'no-slash',
    '/#fragment',
    '/\u00ff\u00fe',
    `/${'a'.repeat(70_000)}`,
  ].map(
    (target): Breaker =>
      (parts) =>
        requestBytes({ ...parts, target }),
  ),
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000',
  () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  () => '\r\n\r\n\r\n',
  () => '\u0000'.repeat(1_000),
  () => 'GET /\r\n',
  () => 'GET / HTTP/1.1\r\n\r\n',
  () => 'GET / HTTP/1.1\nHost: x\n\n',
  (parts) => Buffer.concat([Buffer.from('\r\n\r\n'), requestBytes(parts)]),
  (parts) => Buffer.concat([Buffer.from('\ufeff'), requestBytes(parts)]),
  (parts) => Buffer.from(requestBytes(parts).toString('latin1'), 'utf16le'),
];
