/** The API describes itself: the OpenAPI document for programs, the reference for people. */
import type { ServerResponse } from 'node:http';
import { apiDocument } from '../openapi/document.ts';
import { referencePage } from '../openapi/reference/page.ts';
import { referenceStyle } from '../openapi/reference/style.ts';
import { ifNoneMatchHits } from '../mutate/etag.ts';
import { sha256 } from '../mutate/fingerprint.ts';
import { answered, route, type Reply, type Route } from './route.ts';

/** Old enough to spare requests, young enough for an update of the server. */
const cacheControl = 'public, max-age=300';

export function referenceRoutes(allRoutes: () => Route[]): Route[] {
  const document = once(() => apiDocument(allRoutes()));
  const documentTag = once(() => etagOf(JSON.stringify(document())));
  const page = once(() => referencePage(document()));
  return [
    route({
      method: 'GET',
      path: '/api/v1/openapi.json',
      access: 'public',
      handle: async () => answered(200, document(), { ETag: documentTag(), 'Cache-Control': cacheControl }),
    }),

    route({
      method: 'GET',
      path: '/docs',
      access: 'public',
      handle: async ({ header }) => text(page(), 'text/html; charset=utf-8', header('If-None-Match')),
    }),

    route({
      method: 'GET',
      path: '/docs/style.css',
      access: 'public',
      handle: async ({ header }) => text(referenceStyle(), 'text/css; charset=utf-8', header('If-None-Match')),
    }),
  ];
}

function text(body: string, type: string, ifNoneMatch: string | undefined): Reply {
  const etag = etagOf(body);
  const isKnown = ifNoneMatch !== undefined && ifNoneMatchHits(ifNoneMatch, etag);
  return {
    ok: true,
    async stream(response: ServerResponse) {
      response.writeHead(isKnown ? 304 : 200, { 'Content-Type': type, ETag: etag, 'Cache-Control': cacheControl });
      response.end(isKnown ? undefined : body);
    },
  };
}

const etagOf = (body: string): string => `"${sha256(body).slice(0, 32)}"`;

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
