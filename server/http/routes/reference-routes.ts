/** The API describes itself: the OpenAPI document for programs, the reference for people. */
import type { ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { apiDocument } from '../../openapi/document.ts';
import { referencePage } from '../../openapi/reference/page.ts';
import { referenceStyle } from '../../openapi/reference/style.ts';
import { sha256 } from '../../core/hash.ts';
import { route, type Route } from '../route.ts';
import { sendBody } from '../body/send-body.ts';
import type { Reply } from '../reply.ts';

/** Old enough to spare requests, young enough for an update of the server. */
const cacheControl = 'public, max-age=300';

export function referenceRoutes(allRoutes: () => Route[]): Route[] {
  const document = once(() => apiDocument(allRoutes()));
  const json = once(() => fixed(JSON.stringify(document()), 'application/json; charset=utf-8'));
  const docs = () => allRoutes().flatMap((one) => one.docs ?? []);
  const page = once(() => fixed(referencePage(document(), docs()), 'text/html; charset=utf-8'));
  const style = once(() => fixed(referenceStyle(), 'text/css; charset=utf-8'));
  return [
    route({
      method: 'GET',
      path: '/api/v1/openapi.json',
      access: 'public',
      handle: async () => json(),
      docs: {
        operationId: 'getOpenApi',
        tag: 'Service',
        summary: 'This document',
        description: 'The OpenAPI 3.1 document of the routes that this server has.',
        answer: {
          status: 200,
          description: 'The document.',
          schema: Type.Object({ openapi: Type.String() }),
          headers: ['ETag'],
        },
        conditionalRead: true,
        examples: { plain: { summary: 'This document' } },
      },
    }),

    route({
      method: 'GET',
      path: '/docs',
      access: 'public',
      handle: async () => page(),
      docs: {
        operationId: 'getReference',
        tag: 'Service',
        summary: 'The reference',
        description: 'The document as a page to read. It works offline.',
        answer: {
          status: 200,
          description: 'The page.',
          schema: Type.String(),
          contentType: 'text/html',
          headers: ['ETag'],
        },
        conditionalRead: true,
        examples: { plain: { summary: 'The reference' } },
      },
    }),

    route({
      method: 'GET',
      path: '/docs/style.css',
      access: 'public',
      handle: async () => style(),
    }),
  ];
}

/** One buffer, however many read it and however slowly. */
function fixed(text: string, type: string): Reply {
  const bytes = Buffer.from(text);
  const headers = { 'Content-Type': type, ETag: etagOf(text), 'Cache-Control': cacheControl };
  const stream = async (response: ServerResponse) => {
    response.setHeaders(new Map(Object.entries(headers)));
    sendBody(response, bytes);
  };
  return { ok: true, headers, stream };
}

const etagOf = (body: string): string => `"${sha256(body).slice(0, 32)}"`;

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
