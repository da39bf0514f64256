/**
 * Sends one delivery. A name is resolved once, and the connection goes to an address that was checked, so a name that changes
 * its address meanwhile leads nowhere else. No redirect is followed.
 */
import type { LookupAddress } from 'node:dns';
import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkedAddresses } from './checked-addresses.ts';
import { targetFlaw, type AllowedTargets } from './target.ts';

/** From the first byte sent to the last one read. */
const answerMsMax = 15_000;
/** The rest of an answer is not read. */
const answerBytesMax = 16 * 1024;
const answerCharactersMax = 500;

export interface WebhookAnswer {
  /** null if there was no whole answer. */
  status: number | null;
  /** The start of the answer's body, or what went wrong. */
  text: string;
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
}

/** Never rejects: what went wrong is the answer. */
export async function postWebhook({ url, allowed, ...post }: WebhookPost): Promise<WebhookAnswer> {
  const startedAt = performance.now();
  const flaw = targetFlaw(url, allowed);
  const answer =
    flaw === undefined ? await send(new URL(url), { allowed, ...post }).catch(failedAnswer) : refused(flaw);
  return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
}

type TimelessAnswer = Omit<WebhookAnswer, 'durationMs'>;

const refused = (flaw: string): TimelessAnswer => ({ status: null, text: `The URL ${flaw}.` });

const failedAnswer = (error: unknown): TimelessAnswer => ({
  status: null,
  text: (error instanceof Error ? error.message : String(error)).slice(0, answerCharactersMax),
});

async function send(url: URL, { headers, body, allowed, signal }: Omit<WebhookPost, 'url'>): Promise<TimelessAnswer> {
  const limit = new AbortController();
  const stop = () => limit.abort(new Error('The server stops'));
  const timer = setTimeout(() => limit.abort(new Error('No answer within 15 s')), answerMsMax);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const addresses = await checkedAddresses(url, { allowed, signal: limit.signal });
    limit.signal.throwIfAborted();
    return await receiveAnswer(url, { headers, body, addresses, signal: limit.signal });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

interface CheckedPost extends Pick<WebhookPost, 'headers' | 'body' | 'signal'> {
  addresses: LookupAddress[];
}

function receiveAnswer(url: URL, { headers, body, addresses, signal }: CheckedPost): Promise<TimelessAnswer> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      // The connection goes to an address that was checked.
      lookup: (_hostname, { all }, callback) =>
        all ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family),
      signal,
      // A connection that is kept would outlive the check of its address.
      agent: false,
    };
    const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, options, (response) => {
      const { statusCode = 0 } = response;
      const retryAfterMs = parseRetryAfter(response.headers['retry-after']);
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = () => {
        const text = Buffer.concat(chunks).toString('utf8').slice(0, answerCharactersMax);
        resolve({ status: statusCode, text, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
        response.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= answerBytesMax) finish();
      });
      response.on('end', finish);
      response.on('error', reject);
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
