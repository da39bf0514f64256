/**
 * Creates handlers whose reply never changes while the server runs. The first request makes and compresses the body.
 */
import type { ServerResponse } from 'node:http';
import { sendBody } from '../body/send-body.ts';
import type { Reply } from '../route-reply.ts';
import type { ApiRequest } from '../route.ts';
import { createBodyEncoder } from './encoded-bodies.ts';

interface FixedContent {
  type: string;
  headers?: Record<string, string>;
  /** The request headers, besides `Accept-Encoding`, by which the caller chose this reply. */
  vary?: readonly string[];
  make(): string | Promise<string>;
}

/** After 5 minutes, a browser asks again and sees the document of an updated server. */
const cacheControl = 'public, max-age=300';

export function fixedReplyHandler({
  type,
  headers,
  vary = [],
  make,
}: FixedContent): (request: ApiRequest) => Promise<Reply> {
  const bodyFor = createBodyEncoder(make);
  return async (request) => {
    const body = await bodyFor(request.header('Accept-Encoding'));
    const allHeaders = {
      'Content-Type': type,
      'Cache-Control': cacheControl,
      ...headers,
      ...body.headers,
    };
    const stream = async (response: ServerResponse) => {
      response.setHeaders(new Map(Object.entries(allHeaders)));
      sendBody(response, body.bytes);
    };
    return { ok: true, headers: allHeaders, vary: ['Accept-Encoding', ...vary], stream };
  };
}
