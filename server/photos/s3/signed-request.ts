/** Sends requests to an S3 service, signed with AWS Signature Version 4. */
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
  /** The time of the signature, in milliseconds since 1970. */
  now: number;
  timeoutMs: number;
}

/** `failure` says why there is no response. */
export type S3Outcome =
  | { ok: true; status: number; contentRange: string | undefined; body: Buffer }
  | { ok: false; failure: string };

export type SendSignedRequest = (request: S3Request) => Promise<S3Outcome>;

const socketsMax = 32;

/** Limits the size of a response. The largest ones are a photo of 8 MiB and a page of a list. */
const responseBytesMax = 9 * 1024 * 1024;

/** Returns a function that signs and sends requests. Only this function has the key and the secret. */
export function createSignedSender({ location, region, key, secret }: BucketSettings): SendSignedRequest {
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
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve).on('error', reject).end(body);
      });
      const contentRange = response.headers['content-range'];
      return { ok: true, status: response.statusCode ?? 0, contentRange, body: await readBody(response) };
    } catch (error) {
      return { ok: false, failure: isLate ? `none within ${timeoutMs} ms` : errorNameOf(error) };
    } finally {
      clearTimeout(timer);
    }
  };
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > responseBytesMax) throw new Error(`an answer of more than ${responseBytesMax} bytes`);
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, bytes);
}

/** Returns a code such as ECONNRESET rather than the message, since messages name the host and the port. */
function errorNameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
