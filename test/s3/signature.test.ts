/** Known answers: the four examples of "Authenticating Requests: Using the Authorization Header" in the S3 documentation. */
import { expect, test } from 'vitest';
import { flawOfSignature, sha256Hex, signatureOf, type ReceivedRequest } from './signature.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const credentials = { key: 'AKIAIOSFODNN7EXAMPLE', secret, region: 'us-east-1' };
const then = Date.UTC(2013, 4, 24);

function example(request: Partial<ReceivedRequest>): ReceivedRequest {
  const body = request.body ?? Buffer.from('');
  return {
    method: 'GET',
    path: '/',
    query: '',
    ...request,
    body,
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': sha256Hex(body),
      'x-amz-date': '20130524T000000Z',
      ...request.headers,
    },
  };
}

const examples: [string, Partial<ReceivedRequest>, string][] = [
  [
    'GET Object',
    { path: '/test.txt', headers: { range: 'bytes=0-9' } },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT Object',
    {
      method: 'PUT',
      path: '/test%24file.text',
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: Buffer.from('Welcome to Amazon S3.'),
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  ['GET Bucket Lifecycle', { query: 'lifecycle' }, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  [
    'Get Bucket (List Objects)',
    { query: 'max-keys=2&prefix=J' },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];

/** Signs by the check itself, which the examples hold to be right. */
function signed(request: Partial<ReceivedRequest>, signature?: string): ReceivedRequest {
  const unsigned = example(request);
  const names = Object.keys(unsigned.headers).toSorted();
  const given = signature ?? signatureOf(unsigned, { ...credentials, signedNames: names });
  const scope = `${credentials.key}/20130524/us-east-1/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${names.join(';')},Signature=${given}`;
  return { ...unsigned, headers: { ...unsigned.headers, authorization } };
}

test.each(examples)(
  '[PHOTO-67] the S3 of the tests knows the published signature of %s',
  (_name, request, signature) => {
    expect(flawOfSignature(signed(request, signature), credentials, then)).toBeUndefined();
  },
);

test.each([
  ['another query', { query: 'max-keys=3' }, {}, 'SignatureDoesNotMatch'],
  ['another path', { path: '/other.txt' }, {}, 'SignatureDoesNotMatch'],
  ['another method', { method: 'DELETE' }, {}, 'SignatureDoesNotMatch'],
  ['another body', { body: Buffer.from('other') }, {}, 'XAmzContentSHA256Mismatch'],
  ['another key', {}, { key: 'AKIAOTHER' }, 'InvalidAccessKeyId'],
  ['another secret', {}, { secret: 'other' }, 'SignatureDoesNotMatch'],
  ['another region', {}, { region: 'eu-central-1' }, 'AuthorizationHeaderMalformed'],
] as const)('[PHOTO-67] the S3 of the tests refuses %s', (_what, changed, others, flaw) => {
  const [, get] = examples[0]!;
  const request = { ...signed(get), ...changed };
  expect(flawOfSignature(request, { ...credentials, ...others }, then)).toBe(flaw);
});

test('[PHOTO-67] the S3 of the tests refuses a date that is 15 minutes away, and a request without a signature', () => {
  const request = signed({});
  expect(flawOfSignature(request, credentials, then + 899_000)).toBeUndefined();
  expect(flawOfSignature(request, credentials, then + 901_000)).toBe('RequestTimeTooSkewed');
  expect(flawOfSignature(request, credentials, then - 901_000)).toBe('RequestTimeTooSkewed');
  expect(flawOfSignature(example({}), credentials, then)).toBe('AccessDenied');
});
