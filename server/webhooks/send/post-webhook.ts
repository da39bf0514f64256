/**
 * Sends one delivery. The host name is resolved once, and the connection goes to a checked address, so a later change
 * of the DNS record cannot redirect the delivery. No HTTP redirect is followed.
 */
import type { LookupAddress } from 'node:dns';
import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { resolveCheckedAddresses, rejectOnAbort } from './checked-addresses.ts';
import { targetFlaw, type AllowedTargets } from './target.ts';

/** Limits a delivery, from the lookup of the host name to the last byte read. */
export const responseMsMax = 15_000;
/** Limits how much of a response is read. */
const responseBytesMax = 16 * 1024;
const bodyCharactersMax = 500;

export interface WebhookResponse {
  /** null if there was no whole response. */
  status: number | null;
  /** The start of the response's body; null if there was no whole response. */
  body: string | null;
  /** The reason why there was no whole response. */
  error: string | null;
  durationMs: number;
  /** The wait that `Retry-After` asks for, in milliseconds. */
  retryAfterMs?: number;
}

export interface WebhookPost {
  url: string;
  headers: Record<string, string>;
  body: string;
  allowed: AllowedTargets;
  /** Aborts when the process stops. */
  signal: AbortSignal;
  /** Default: 15 s. */
  msMax?: number;
}

/** Never rejects: a failure is a response without a status. */
export async function postWebhook({ url, allowed, ...post }: WebhookPost): Promise<WebhookResponse> {
  const startedAt = performance.now();
  const flaw = targetFlaw(url, allowed);
  const response =
    flaw === undefined
      ? await sendToCheckedAddress(new URL(url), { allowed, ...post }).catch(toFailedResponse)
      : { status: null, body: null, error: `The URL ${flaw}.` };
  return { ...response, durationMs: Math.round(performance.now() - startedAt) };
}

type ResponseWithoutDuration = Omit<WebhookResponse, 'durationMs'>;

const toFailedResponse = (error: unknown): ResponseWithoutDuration => ({
  status: null,
  body: null,
  error: (error instanceof Error ? error.message : String(error)).slice(0, bodyCharactersMax),
});

async function sendToCheckedAddress(
  url: URL,
  { headers, body, allowed, signal, msMax = responseMsMax }: Omit<WebhookPost, 'url'>,
): Promise<ResponseWithoutDuration> {
  const limit = new AbortController();
  const stop = () => limit.abort(new Error('The server stops'));
  const timer = setTimeout(() => limit.abort(new Error(`No answer within ${msMax / 1000} s`)), msMax);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const addresses = await resolveCheckedAddresses(url, { allowed, signal: limit.signal });
    limit.signal.throwIfAborted();
    const checked = { headers, body, addresses, signal: limit.signal };
    // Reject when the signal aborts, since a request does not report every way in which its connection can end.
    return await Promise.race([sendAndReceive(url, checked), rejectOnAbort(limit.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

interface CheckedPost extends Pick<WebhookPost, 'headers' | 'body' | 'signal'> {
  addresses: LookupAddress[];
}

function sendAndReceive(url: URL, { headers, body, addresses, signal }: CheckedPost): Promise<ResponseWithoutDuration> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      // The connection goes to an address that was checked.
      lookup: (_hostname, { all }, callback) =>
        all ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family),
      signal,
      // A kept connection would outlive the check of its address.
      agent: false,
    };
    const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, options, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200 || statusCode > 599) return request.destroy(new Error(`${statusCode} is no HTTP status`));
      const retryAfterMs = parseRetryAfter(response.headers['retry-after']);
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = () => {
        const text = Buffer.concat(chunks).toString('utf8').slice(0, bodyCharactersMax);
        resolve({
          status: statusCode,
          body: text,
          error: null,
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        });
        response.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= responseBytesMax) finish();
      });
      response.on('end', finish);
      response.on('error', reject);
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The endpoint wants another protocol'));
    });
    request.on('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
    request.end(body);
  });
}

/** Reads the header's number of seconds or its date (RFC 9110, 10.2.3). */
function parseRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : undefined;
}
