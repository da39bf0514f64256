/**
 * Replies that stay the same while the server runs. Each is made and compressed at its first request and then reused.
 */
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sha256 } from '../../core/hash.ts';
import { sendBody } from '../body/send-body.ts';
import type { Reply } from '../route-reply.ts';
import type { ApiRequest } from '../route.ts';

interface Fixed {
  type: string;
  headers?: Record<string, string>;
  make(): string | Promise<string>;
}

type Encoding = 'gzip' | 'identity';

/** Long enough to save requests, short enough that readers soon see an updated server. */
const cacheControl = 'public, max-age=300';

export function fixedReply({ type, headers, make }: Fixed): (request: ApiRequest) => Promise<Reply> {
  // All readers share one buffer for each encoding, however slowly they read.
  const bytes = {
    gzip: once(async () => promisify(gzip)(await make())),
    identity: once(async () => Buffer.from(await make())),
  } satisfies Record<Encoding, () => Promise<Buffer>>;
  const etags = {
    gzip: once(async () => etagOf(await bytes.gzip())),
    identity: once(async () => etagOf(await bytes.identity())),
  };

  return async (request) => {
    const encoding: Encoding = /\bgzip\b/.test(request.header('Accept-Encoding') ?? '') ? 'gzip' : 'identity';
    const all = {
      'Content-Type': type,
      ...headers,
      ETag: await etags[encoding](),
      'Cache-Control': cacheControl,
      Vary: 'Accept-Encoding',
      ...(encoding === 'gzip' ? { 'Content-Encoding': 'gzip' } : {}),
    };
    const body = await bytes[encoding]();
    const stream = async (response: ServerResponse) => {
      response.setHeaders(new Map(Object.entries(all)));
      sendBody(response, body);
    };
    return { ok: true, headers: all, stream };
  };
}

const etagOf = (bytes: Buffer): string => `"${sha256(bytes).slice(0, 32)}"`;

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
