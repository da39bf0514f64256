/** Creates handlers whose reply never changes while the server runs. The first request makes and compresses the body. */
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sha256 } from '../../core/hash.ts';
import { sendBody } from '../body/send-body.ts';
import type { Reply } from '../route-reply.ts';
import type { ApiRequest } from '../route.ts';

interface FixedContent {
  type: string;
  headers?: Record<string, string>;
  /** The request headers, besides `Accept-Encoding`, by which the caller chose this reply. */
  vary?: readonly string[];
  make(): string | Promise<string>;
}

type Encoding = 'gzip' | 'identity';

/** After 5 minutes, a browser asks again and sees the document of an updated server. */
const cacheControl = 'public, max-age=300';

export function fixedReplyHandler({
  type,
  headers,
  vary = [],
  make,
}: FixedContent): (request: ApiRequest) => Promise<Reply> {
  // All responses share one buffer for each encoding, so that slow readers do not hold copies in memory.
  const bytes = {
    gzip: memoized(async () => promisify(gzip)(await make())),
    identity: memoized(async () => Buffer.from(await make())),
  } satisfies Record<Encoding, () => Promise<Buffer>>;
  const etags = {
    gzip: memoized(async () => etagOf(await bytes.gzip())),
    identity: memoized(async () => etagOf(await bytes.identity())),
  };

  return async (request) => {
    const encoding: Encoding = /\bgzip\b/.test(request.header('Accept-Encoding') ?? '') ? 'gzip' : 'identity';
    const allHeaders = {
      'Content-Type': type,
      ...headers,
      ETag: await etags[encoding](),
      'Cache-Control': cacheControl,
      Vary: ['Accept-Encoding', ...vary].join(', '),
      ...(encoding === 'gzip' ? { 'Content-Encoding': 'gzip' } : {}),
    };
    const body = await bytes[encoding]();
    const stream = async (response: ServerResponse) => {
      response.setHeaders(new Map(Object.entries(allHeaders)));
      sendBody(response, body);
    };
    return { ok: true, headers: allHeaders, stream };
  };
}

const etagOf = (bytes: Buffer): string => `"${sha256(bytes).slice(0, 32)}"`;

function memoized<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
