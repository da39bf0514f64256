/** One request to an S3 service, signed by AWS Signature Version 4. */
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { AwsV4Signer } from 'aws4fetch';
import { sha256 } from '../../core/hash.ts';
import type { BucketSettings } from './bucket-settings.ts';

export interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  url: URL;
  headers?: Record<string, string>;
  body?: Uint8Array | undefined;
  /** Milliseconds since 1970, for the signature. */
  now: number;
  timeoutMs: number;
}

/** A `failure` is the reason for which there is no answer. */
export type S3Answer =
  | { ok: true; status: number; contentRange: string | undefined; body: Buffer }
  | { ok: false; failure: string };

export type SendSigned = (request: S3Request) => Promise<S3Answer>;

const socketsMax = 32;

/** No answer is larger than a photo of 8 MiB or a page of a list. */
const answerBytesMax = 9 * 1024 * 1024;

/** The key and the secret stay in the returned function. */
export function signedRequests({ location, region, key, secret }: BucketSettings): SendSigned {
  const isTls = location.origin.startsWith('https:');
  const options = { keepAlive: true, maxSockets: socketsMax };
  const agent = isTls ? new HttpsAgent(options) : new HttpAgent(options);
  const open = isTls ? requestHttps : requestHttp;
  return async ({ method, url, headers = {}, body, now, timeoutMs }) => {
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': sha256(body ?? '') },
      accessKeyId: key,
      secretAccessKey: secret,
      service: 's3',
      region,
      datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    });
    const signed = Object.fromEntries((await signer.sign()).headers);
    const length = method === 'PUT' ? { 'content-length': String(body?.length ?? 0) } : {};
    const request = open(url, { method, agent, headers: { ...signed, ...length } });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      request.destroy();
    }, timeoutMs);
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve).on('error', reject).end(body);
      });
      const contentRange = answer.headers['content-range'];
      return { ok: true, status: answer.statusCode ?? 0, contentRange, body: await collect(answer) };
    } catch (error) {
      return { ok: false, failure: isLate ? `none within ${timeoutMs} ms` : nameOf(error) };
    } finally {
      clearTimeout(timer);
    }
  };
}

async function collect(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > answerBytesMax) throw new Error(`an answer of more than ${answerBytesMax} bytes`);
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, bytes);
}

/** A code such as ECONNRESET says enough where there is one; messages name the host and the port. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
