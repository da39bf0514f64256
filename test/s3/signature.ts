/**
 * The check of AWS Signature Version 4 as a service does it, written from "Authenticating Requests: Using the Authorization
 * Header" of the Amazon S3 documentation. The server under test signs with a package, of which this file knows nothing.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface ReceivedRequest {
  method: string;
  /** The path as it was sent, percent-encoded. */
  path: string;
  /** The query as it was sent, without the question mark. */
  query: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface S3Credentials {
  key: string;
  secret: string;
  region: string;
}

export type SignatureFlaw =
  | 'AccessDenied'
  | 'AuthorizationHeaderMalformed'
  | 'InvalidAccessKeyId'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'
  | 'XAmzContentSHA256Mismatch';

const skewMsMax = 15 * 60 * 1000;
const authorizationPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** Returns what is wrong with the signature of a request, or undefined. */
export function flawOfSignature(
  request: ReceivedRequest,
  { key, secret, region }: S3Credentials,
  now: number,
): SignatureFlaw | undefined {
  const { headers, body } = request;
  const authorization = headers['authorization'];
  if (authorization === undefined) return 'AccessDenied';
  const [, givenKey, day = '', givenRegion, names = '', signature = ''] =
    authorizationPattern.exec(authorization) ?? [];
  const date = headers['x-amz-date'] ?? '';
  if (givenKey === undefined || !date.startsWith(day)) return 'AuthorizationHeaderMalformed';
  if (givenKey !== key) return 'InvalidAccessKeyId';
  if (givenRegion !== region) return 'AuthorizationHeaderMalformed';
  const skewMs = Math.abs(now - instantOf(date));
  if (!(skewMs <= skewMsMax)) return 'RequestTimeTooSkewed';
  const signedNames = names.split(';');
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (mustBeSigned.some((name) => !signedNames.includes(name))) return 'AccessDenied';
  const expected = signatureOf(request, { secret, region, signedNames });
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return 'SignatureDoesNotMatch';
  return headers['x-amz-content-sha256'] === sha256Hex(body) ? undefined : 'XAmzContentSHA256Mismatch';
}

interface SigningParts {
  secret: string;
  region: string;
  signedNames: readonly string[];
}

export function signatureOf(request: ReceivedRequest, { secret, region, signedNames }: SigningParts): string {
  const date = request.headers['x-amz-date'] ?? '';
  const scope = [date.slice(0, 8), region, 's3', 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256Hex(canonicalRequest(request, signedNames))].join(
    '\n',
  );
  const signingKey = scope.reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
  return hmac(signingKey, text).toString('hex');
}

/** The names of the headers are sorted by the one who signs. */
export function canonicalRequest({ method, path, query, headers }: ReceivedRequest, names: readonly string[]): string {
  const lines = names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`);
  return [
    method,
    path.split('/').map(reencode).join('/'),
    canonicalQuery(query),
    lines.join(''),
    names.join(';'),
    headers['x-amz-content-sha256'] ?? '',
  ].join('\n');
}

function canonicalQuery(query: string): string {
  if (query === '') return '';
  const pairs = query.split('&').map((pair) => {
    const [name = '', ...values] = pair.split('=');
    return `${reencode(name)}=${reencode(values.join('=').replaceAll('+', '%20'))}`;
  });
  return pairs.toSorted((a, b) => (a < b ? -1 : 1)).join('&');
}

/** Encodes every byte but those of A-Z a-z 0-9 - . _ ~ */
const reencode = (text: string): string =>
  [...Buffer.from(decodeURIComponent(text), 'utf8')]
    .map((byte) => {
      const character = String.fromCodePoint(byte);
      return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

/** Reads `20130524T000000Z`; NaN if the text is no instant. */
const instantOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();
export const sha256Hex = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
