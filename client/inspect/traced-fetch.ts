/** Wraps a `fetch` and records each request: its kind, outcome, size and time, but not its content. */
import type { SyncRequest } from './shapes.ts';

type Fetch = typeof globalThis.fetch;

interface TracedFetchOptions {
  by: SyncRequest['by'];
  now(): string;
  monotonicMs(): number;
  /** Returns which mutations the next push sends. */
  nextPush(): Pick<SyncRequest, 'client_id' | 'sent_seq'>;
  onRequest(request: SyncRequest): void;
  /** Called when a field of a recorded request has changed, such as its status. */
  onChange(): void;
}

export const tracedFetch =
  (send: Fetch, { by, now, monotonicMs, nextPush, onRequest, onChange }: TracedFetchOptions): Fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const kind = kindOf(url.pathname);
    const startedMs = monotonicMs();
    const request: SyncRequest = {
      at: now(),
      kind,
      method: init?.method ?? 'GET',
      status: null,
      ms: null,
      sent_bytes: byteCountOf(init?.body),
      received_bytes: null,
      error: null,
      by,
      ...(kind === 'push' ? nextPush() : { client_id: null, sent_seq: null }),
    };
    onRequest(request);
    const change = (fields: Partial<SyncRequest>) => {
      Object.assign(request, fields);
      onChange();
    };
    try {
      const response = await send(input, init);
      change({
        status: response.status,
        ms: monotonicMs() - startedMs,
        received_bytes: numberOrNull(response.headers.get('Content-Length')),
      });
      if (!response.ok) void readCode(response).then((error) => change({ error }));
      return response;
    } catch (error) {
      change({ ms: monotonicMs() - startedMs, error: init?.signal?.aborted ? 'aborted' : 'unreachable' });
      throw error;
    }
  };

/** The kinds of requests by their paths, tried in this order. */
const pathKinds: [RegExp, SyncRequest['kind']][] = [
  [/\/sync\/push$/, 'push'],
  [/\/sync\/pull$/, 'pull'],
  [/\/sync\/runs$/, 'runs'],
  [/\/sync\/events$/, 'events'],
  [/\/photos(?:\/|$)/, 'photos'],
];

const kindOf = (path: string): SyncRequest['kind'] => pathKinds.find(([form]) => form.test(path))?.[1] ?? 'other';

function byteCountOf(body: BodyInit | null | undefined): number | null {
  if (body === null || body === undefined) return 0;
  if (typeof body === 'string') return new TextEncoder().encode(body).length;
  if (body instanceof Blob) return body.size;
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength;
  return null;
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

const problemCharsMax = 100_000;

/** Reads the code of a problem from a copy of the response, since the engine reads the response itself. */
async function readCode(response: Response): Promise<string | null> {
  try {
    const text = await response.clone().text();
    const body: unknown = text.length > problemCharsMax ? null : JSON.parse(text);
    return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : null;
  } catch {
    return null;
  }
}
