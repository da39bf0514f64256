/** Sends sealed requests to the server with the token of this device. */
import { concat, type Bytes } from '../../../shared/relay/byte-reader.ts';
import {
  sealedAnswerBytesMax,
  sealedAnswerBytesMin,
  sealedAnswerMediaType,
  sealedRequestMediaType,
} from '../../../shared/relay/media-types.ts';
import { receiptHeader, receiptPattern } from '../../../shared/relay/receipt.ts';
import { apiAddress } from '../../core/api-address.ts';
import type { Clock } from '../../core/clock.ts';

export interface PostOptions {
  /** The address of the server. */
  url: string;
  fetch: typeof globalThis.fetch;
  /** The token of this device; null if it is not paired. */
  token: () => string | null;
  schedule: Clock['schedule'];
}

/**
 * `refused`: the server will never answer this request. `declined`: the server cannot answer it now. `unreachable`: no
 * request reaches the server, or the server takes no request with this token now.
 */
export type PostOutcome =
  | { kind: 'answered'; answer: Bytes; receipt: string | undefined }
  | { kind: 'refused' | 'declined' }
  | { kind: 'unreachable'; retryAfterMs?: number };

const requestMsMax = 120_000;
/**
 * Limits the wait that a response asks for. The server renews a token's quota each minute, but a captive portal may ask
 * for a longer wait.
 */
const retryAfterMsMax = 120_000;
const problemBytesMax = 64 * 1024;

/** The statuses whose cause is the token, the address, the version or a rate limit, but not the request's content. */
const statusesOfAnyRequest = new Set([401, 403, 404, 426, 429]);

/** Sends sealed requests. While the server has asked this device to wait, sends none. */
export class SealedRequestSender {
  readonly #options: PostOptions;
  readonly #onWaitEnd: () => void;
  readonly #stopped = new AbortController();
  #cancelWait: (() => void) | undefined;
  #hasReachedServer: boolean | null = null;

  constructor(options: PostOptions, onWaitEnd: () => void) {
    this.#options = options;
    this.#onWaitEnd = onWaitEnd;
  }

  /** True if the server took the last request with this token, false if it did not, null before any request. */
  get hasReachedServer(): boolean | null {
    return this.#hasReachedServer;
  }

  get mustWait(): boolean {
    return this.#cancelWait !== undefined;
  }

  get isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async post(sealed: Bytes): Promise<PostOutcome> {
    if (this.mustWait) return { kind: 'unreachable' };
    const outcome = await postSealed(this.#options, sealed, this.#stopped.signal);
    this.#hasReachedServer = outcome.kind !== 'unreachable';
    if (outcome.kind === 'unreachable' && outcome.retryAfterMs !== undefined) this.#waitFor(outcome.retryAfterMs);
    return outcome;
  }

  stop(): void {
    this.#stopped.abort();
    this.#cancelWait?.();
  }

  #waitFor(ms: number): void {
    if (this.isStopped) return;
    // The wait of the server's latest response replaces the wait of an earlier response.
    this.#cancelWait?.();
    this.#cancelWait = this.#options.schedule(ms, () => {
      this.#cancelWait = undefined;
      this.#onWaitEnd();
    });
  }
}

async function postSealed(
  { url, fetch, token, schedule }: PostOptions,
  sealed: Bytes,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const bearer = token();
  if (bearer === null || signal.aborted) return { kind: 'unreachable' };
  const controller = new AbortController();
  const abort = () => controller.abort();
  const cancelTimeout = schedule(requestMsMax, abort);
  signal.addEventListener('abort', abort);
  try {
    const response = await fetch(apiAddress(url, 'relay'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': sealedRequestMediaType },
      body: sealed,
      cache: 'no-store',
      redirect: 'error',
      signal: controller.signal,
    });
    const isAnswer = response.ok && response.headers.get('Content-Type') === sealedAnswerMediaType;
    if (!isAnswer) return await outcomeOfProblem(response);
    const answer = await readAtMost(sealedAnswerBytesMax, response);
    if (!answer) return { kind: 'refused' };
    // An answer below this length was cut off by a proxy, and no device could open it.
    if (answer.length < sealedAnswerBytesMin) return { kind: 'unreachable' };
    return { kind: 'answered', answer, receipt: receiptIn(response) };
  } catch {
    // No network, or no response.
    return { kind: 'unreachable' };
  } finally {
    cancelTimeout();
    signal.removeEventListener('abort', abort);
  }
}

/** Reads a body. Returns undefined if it is longer than `bytesMax`, without reading the rest. */
async function readAtMost(bytesMax: number, { body }: Response): Promise<Bytes | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    length += read.value.length;
    if (length > bytesMax) return void (await reader?.cancel());
    chunks.push(read.value);
  }
  return concat(...chunks);
}

function receiptIn({ headers }: Response): string | undefined {
  const receipt = headers.get(receiptHeader) ?? '';
  return receiptPattern.test(receipt) ? receipt : undefined;
}

/**
 * Interprets a response without a sealed answer. A proxy or captive portal may send any status, so only the server's
 * problem code counts.
 */
async function outcomeOfProblem(response: Response): Promise<PostOutcome> {
  const { status } = response;
  const code = await problemCodeIn(response);
  if (code === 'relay_malformed' || code === 'relay_key_unknown') return { kind: 'refused' };
  const concernsRequest = typeof code === 'string' && status >= 400 && !statusesOfAnyRequest.has(status);
  if (concernsRequest) return { kind: 'declined' };
  const retryAfterMs = status === 429 ? Number(response.headers.get('Retry-After')) * 1_000 : 0;
  return retryAfterMs > 0
    ? { kind: 'unreachable', retryAfterMs: Math.min(retryAfterMs, retryAfterMsMax) }
    : { kind: 'unreachable' };
}

async function problemCodeIn(response: Response): Promise<unknown> {
  try {
    const text = new TextDecoder().decode(await readAtMost(problemBytesMax, response));
    return (JSON.parse(text) as { code?: unknown } | null)?.code;
  } catch {
    return undefined;
  }
}
