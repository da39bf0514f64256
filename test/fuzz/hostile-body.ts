/** Hostile bodies, made from the text of a valid body. */
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { bodyBytesMax } from '../../shared/schema/limits.ts';

export interface HostileBody {
  bytes: Buffer;
  headers: Record<string, string>;
}

/** `withValue` returns the text with another value at a random place. */
export function hostileBody(text: string, withValue: (placeholder: string) => string): fc.Arbitrary<HostileBody> {
  const plain = (bytes: Buffer | string, headers: Record<string, string> = {}): HostileBody => ({
    bytes: Buffer.from(bytes as string),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  const placed = fc
    .oneof(fc.constantFrom(...literals), nesting)
    .map((literal) => plain(withValue(placeholder).replace(`"${placeholder}"`, () => literal)));
  const keyed = fc
    .constantFrom(...extraKeys)
    .map((key) => plain(`{${text.length > 2 ? key : key.slice(0, -1)}${text.slice(1)}`));
  const whole = fc.oneof(fc.constantFrom(...wholeBodies), nesting).map((bytes) => plain(bytes));
  const encoded = fc.constantFrom(...encodings).map((encode) => encode(text));
  const typed = fc.constantFrom(...contentTypes).map((type) => plain(text, { 'Content-Type': type }));
  const cut = fc.nat().map((n) => plain(Buffer.from(text).subarray(0, n % (text.length || 1))));
  const flipped = fc.tuple(fc.nat(), fc.nat({ max: 255 })).map(([n, byte]) => {
    const bytes = Buffer.from(text);
    bytes[n % (bytes.length || 1)] = byte;
    return plain(bytes);
  });
  return fc.oneof(
    { weight: 8, arbitrary: placed },
    { weight: 3, arbitrary: keyed },
    { weight: 3, arbitrary: whole },
    { weight: 4, arbitrary: encoded },
    { weight: 2, arbitrary: typed },
    { weight: 2, arbitrary: cut },
    { weight: 3, arbitrary: flipped },
  );
}

const placeholder = '@here@';

/** JSON literals, some of them invalid. */
const literals = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '-0.0',
  '9007199254740992',
  '9007199254740993',
  '18446744073709551616',
  '1.7976931348623157e308',
  '5e-324',
  '1'.repeat(400),
  `0.${'3'.repeat(400)}`,
  '1E+2',
  '2147483648',
  '1e15',
  '01',
  '+1',
  '.5',
  '1.',
  '0x10',
  'NaN',
  'Infinity',
  'undefined',
  "'single'",
  '1n',
  '/* comment */1',
  String.raw`"\ud800"`,
  String.raw`"\udc00\ud800"`,
  String.raw`"\u0000"`,
  String.raw`"a\u0000b"`,
  String.raw`"\ufeff"`,
  String.raw`"\uffff"`,
  String.raw`"\u202e"`,
  String.raw`"\x41"`,
  '"\t"',
  '"\u2028"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '{"__proto__":{"polluted":1}}',
  '["__proto__"]',
  '{"toJSON":1}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"then":1}',
  '{"length":1e9}',
  '{"$ref":"#"}',
  '{"":""}',
  '"\' OR 1=1 --"',
  '"%00"',
  '"../../etc/passwd"',
  '"${jndi:ldap://x}"',
  '"<script>"',
  `"${'x'.repeat(20_000)}"`,
  `[${'1,'.repeat(1_500)}1]`,
  `{${Array.from({ length: 500 }, (_, n) => `"k${n}":${n}`).join()}}`,
];

/** Extra keys with values, placed before the others. */
const extraKeys = [
  '"__proto__":{"name":"x"},',
  '"__proto__":null,',
  '"constructor":{"prototype":{}},',
  '"toString":1,',
  '"":0,',
  '"hasOwnProperty":1,',
  '"valueOf":1,',
  '"name":"once","name":"twice",',
  '"id":1,"id":2,',
  '"order":1,"order":2,',
  '"toJSON":"x",',
  String.raw`"\u005f_proto__":1,`,
  String.raw`"\ud800":1,`,
  String.raw`"\u0000":1,`,
  '"a/b~c":1,',
];

const wholeBodies = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '-0',
  '""',
  '[]',
  '[{}]',
  '{}{}',
  '{',
  '}',
  '{"',
  '\u0000',
  '{}\u0000',
  '[,]',
  '{,}',
];

const nesting = fc
  .tuple(
    fc.constantFrom(50, 1_000, 20_000, 120_000),
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"__proto__":', '}]']),
  )
  .map(([depth, [open = '', close = '']]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

const contentTypes = [
  '',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json;charset="utf-8"',
  'application/json; charset=',
  'APPLICATION/JSON',

  'application/json, text/plain',
  'application/problem+json',
  'application/json\t',
  'json',
  '*/*',
  '/',
  'a'.repeat(5_000),
];

const compressionBomb = gzipSync(Buffer.alloc(20 * bodyBytesMax, ' '));

const encodings: ((text: string) => HostileBody)[] = [
  (text) => encoded(Buffer.from(text, 'utf16le')),
  (text) => encoded(Buffer.from(`\ufeff${text}`, 'utf16le')),
  (text) => encoded(Buffer.from(`\ufeff${text}`)),
  (text) => encoded(Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])])),
  (text) => encoded(Buffer.from(text.replace(/:"/, ':"\u00e9'), 'latin1')),
  (text) => encoded(gzipSync(text), 'gzip'),
  (text) => encoded(deflateSync(text), 'deflate'),
  (text) => encoded(gzipSync(text).subarray(0, 15), 'gzip'),
  (text) => encoded(Buffer.from(text), 'gzip'),
  (text) => encoded(Buffer.from(text), 'br'),
  (text) => encoded(Buffer.from(text), 'identity'),
  (text) => encoded(Buffer.from(text), 'gzip, gzip'),
  (text) => encoded(Buffer.from(text), 'x-unknown'),
  () => encoded(compressionBomb, 'gzip'),
  (text) => encoded(Buffer.from(text + ' '.repeat(bodyBytesMax))),
];

const encoded = (bytes: Buffer, encoding?: string): HostileBody => ({
  bytes,
  headers: { 'Content-Type': 'application/json', ...(encoding ? { 'Content-Encoding': encoding } : {}) },
});
