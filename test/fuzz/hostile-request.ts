/** Valid HTTP with a path, a query, a method or headers that no honest client sends. */
import fc from 'fast-check';
import type { RequestParts } from './request.ts';

export interface HostileParts {
  parts: RequestParts;
  isRouted: boolean;
}

export function hostileRequest(parts: RequestParts): fc.Arbitrary<HostileParts> {
  const [path = '', query = ''] = parts.target.split('?');
  const withTarget = (target: string): HostileParts => ({ parts: { ...parts, target }, isRouted: false });
  const inPath = fc.tuple(fc.constantFrom(...oddities), fc.nat()).map(([odd, n]) => {
    const at = 1 + (n % path.length);
    return withTarget(path.slice(0, at) + odd + path.slice(at));
  });
  const wholePath = fc.constantFrom(...paths).map(withTarget);
  const queried = fc.constantFrom(...queries).map((odd) => ({
    parts: { ...parts, target: `${path}?${query}&${odd}` },
    isRouted: true,
  }));
  const method = fc.constantFrom(...methods).map((name) => ({ parts: { ...parts, method: name }, isRouted: false }));
  const headed = fc.constantFrom(...headers).map((odd) => ({
    parts: { ...parts, headers: { ...parts.headers, ...odd } },
    isRouted: true,
  }));
  return fc.oneof(inPath, wholePath, queried, method, { weight: 3, arbitrary: headed });
}

const oddities = [
  '%',
  '%0',
  '%zz',
  '%00',
  '%ff',
  '%c0%af',
  '%2f',
  '%2e%2e%2f',
  '%25',
  '%ed%a0%80',
  '%F0%9F%9B%A0',
  '%u0041',
  '+',
  '/',
  '//',
  '/../',
  '/./',
  ';a=b',
  ':',
  '*',
  '(',
  '[',
  '\\',
  '|',
  '"',
  '<',
  "'",
  '{id}',
  '\u00e9',
  '~',
  '%0d%0aX: 1',

  'a'.repeat(3_000),
  '%41'.repeat(1_000),
  '/a'.repeat(2_000),
  '__proto__',
  'constructor',
];

const paths = [
  '/',
  '*',
  '/api',
  '/api/v1',
  '/api/v1/',
  '/api/v2/maps',
  '/__proto__',
  '/constructor',
  '/api/v1/maps/__proto__',
  'http://localhost/api/v1/maps',
  'http://[::1',
  '//evil/api/v1/maps',
  '/api/v1/runs/9007199254740993',
  '/favicon.ico',

  '/api/v1/runs/-1',
  '/api/v1/runs/1e3',
  '/api/v1/runs/0x10',
  '/api/v1/runs/%31',
  '/docs/../../package.json',
  '/docs/%2e%2e/%2e%2e/etc/passwd',
  '/.env',
  '/metrics',
  `/${'a'.repeat(60_000)}`,
  '/API/V1/MAPS',
  '/api/v1/maps?'.repeat(99),
];

const queries = [
  'limit=0',
  'limit=201',
  'limit=1&limit=2',
  'limit[]=1',
  'limit[a]=1',
  'limit=1e1',
  'limit=+1',
  'limit=%31',
  'limit=',

  'limit=9007199254740993',
  'limit=NaN',
  'limit=null',
  'cursor=%00',
  'cursor=MQ',
  'cursor=%ff',
  'cursor[]=',
  'cursor=a&cursor=b',

  '__proto__[x]=1',
  'constructor[prototype][x]=1',
  '__proto__=1',
  'hasOwnProperty=1',
  'toString=1',
  'no_such=1',
  '=',
  '&&&',
  '?',

  '%',
  '%zz=%zz',
  'state=CURRENT',
  'state=%00',
  'archived=1',
  'archived=TRUE',
  'deleted=yes',
  'industry=%00',
  'industry=%ed%a0%80',

  'kinds=client',
  'kinds=map,',
  'kinds=',
  'client_id=x',
  `cursor=${'A'.repeat(30_000)}`,
  'a=1&'.repeat(2_000),
  'a[b][c][d][e][f][g]=1',

  `cursor=${encodeURIComponent("' OR 1=1 --")}`,
  'limit=10;drop',
  'limit=%20%2010',
  'limit=१',
  'cursor=AAAA',
  'cursor=LTEuMA',
];

const methods = [
  'HEAD',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'LINK',
  'PATCH',
  'GET',
  'POST',
];

const headers: Record<string, string>[] = [
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'Bearer a b',
  'bearer x',
  `Bearer ${'x'.repeat(20_000)}`,
  'Bearer \u00e9',
  'Bearer gk_',
].map((Authorization) => ({ Authorization }) as Record<string, string>);
headers.push(
  ...['*', '"x"', 'W/"x"', '"a", "b"', '""', 'x', ',', '"', '"a"'.repeat(3_000), '\u00e9'].flatMap((etag) => [
    { 'If-Match': etag },
    { 'If-None-Match': etag },
  ]),
  ...[
    '',
    ' ',
    'k'.repeat(255),
    'k'.repeat(256),
    '\u00e9',
    'a b',
    '\t',
    '__proto__',
    'constructor',
    '"quoted"',
    ',',
    'shared-1',
  ].map((key) => ({ 'Idempotency-Key': key })),
  ...['', '0', '1', '2', '999999999', '9999999999', '-1', '1.0', 'x', '1, 1', ' 1 '].map((version) => ({
    'Gemba-Protocol': version,
  })),
  ...['', '__proto__', 'x'.repeat(129), '../x', '\u00e9', 'a b', 'ok-1'].map((id) => ({ 'X-Request-Id': id })),
  ...['', 'localhost:99999', '::', 'a'.repeat(5_000), '../', 'x y', '[::1'].map((Host) => ({ Host })),
  ...['100-continue', '200-maybe', ''].map((Expect) => ({ Expect })),
  ...['', 'text/html', '*/*;q=0', 'x'.repeat(9_000)].map((Accept) => ({ Accept })),
  ...['gzip', 'identity;q=0', '*;q=0'].map((encoding) => ({ 'Accept-Encoding': encoding })),
  { 'X-HTTP-Method-Override': 'DELETE' },
  { 'X-Forwarded-For': `${'1.2.3.4, '.repeat(300)}x` },
  { 'X-Forwarded-For': '::ffff:999.1.1.1', 'X-Forwarded-Proto': 'x', 'X-Forwarded-Host': '' },
  { Range: 'bytes=0-0' },
  { Upgrade: 'websocket', Connection: 'Upgrade' },
  { Upgrade: 'h2c', Connection: 'Upgrade, HTTP2-Settings', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' },
  { Cookie: 'a=b; '.repeat(5_000) },
  { Origin: 'null', 'Access-Control-Request-Method': 'DELETE' },
  { 'Last-Event-ID': '\u00ff' },
  { 'If-Modified-Since': 'never', 'If-Unmodified-Since': 'x', 'If-Range': 'x' },
  { TE: 'trailers, deflate;q=0.5' },
  { __proto__x: '1', constructor: 'x', toString: 'y' },
  Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`X-Many-${index}`, 'x'])),
);
