/** The API describes itself: the OpenAPI document for programs, the reference for people. */
import { apiDocument } from '../openapi/document.ts';
import { referencePage } from '../openapi/reference/page.ts';
import { referenceStyle } from '../openapi/reference/style.ts';
import { answered } from '../mutate/answer.ts';
import { sha256 } from '../mutate/fingerprint.ts';
import { route, type Reply, type Route } from './route.ts';

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
      handle: async () => text(page(), 'text/html; charset=utf-8'),
    }),

    route({
      method: 'GET',
      path: '/docs/style.css',
      access: 'public',
      handle: async () => text(referenceStyle(), 'text/css; charset=utf-8'),
    }),
  ];
}

function text(body: string, type: string): Reply {
  const headers = { 'Content-Type': type, ETag: etagOf(body), 'Cache-Control': cacheControl };
  return { ok: true, headers, stream: async (response) => void response.writeHead(200, headers).end(body) };
}

const etagOf = (body: string): string => `"${sha256(body).slice(0, 32)}"`;

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
