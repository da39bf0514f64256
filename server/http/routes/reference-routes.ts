/** Serves the OpenAPI document for programs and the reference page for people. */
import { Type } from 'typebox';
import { buildApiDocument } from '../../openapi/document.ts';
import {
  referencePage,
  referenceContentSecurityPolicy,
  readReferenceStartScript,
  readReferenceStyle,
  readScalarScript,
} from '../../openapi/reference/page.ts';
import { route, type Route } from '../route.ts';
import { fixedReplyHandler } from '../web/fixed-reply.ts';

const scriptType = 'text/javascript; charset=utf-8';

export function referenceRoutes(allRoutes: () => Route[], { hasGuide }: { hasGuide: boolean }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/openapi.json',
      access: 'public',
      handle: fixedReplyHandler({
        type: 'application/json; charset=utf-8',
        make: () => JSON.stringify(buildApiDocument(allRoutes())),
      }),
      docs: {
        operationId: 'getOpenApi',
        tag: 'Service',
        summary: 'This document',
        description: 'The OpenAPI 3.1 document of the routes that this server has.',
        response: {
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
      handle: fixedReplyHandler({
        type: 'text/html; charset=utf-8',
        headers: { 'Content-Security-Policy': referenceContentSecurityPolicy },
        make: () => referencePage({ hasGuide }),
      }),
      docs: {
        operationId: 'getReference',
        tag: 'Service',
        summary: 'The reference',
        description: 'The document as a page to read. It works offline.',
        response: {
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

    pageFileRoute('/docs/reference.css', { type: 'text/css; charset=utf-8', make: readReferenceStyle }),
    pageFileRoute('/docs/start.js', { type: scriptType, make: readReferenceStartScript }),
    pageFileRoute('/docs/scalar.js', { type: scriptType, make: readScalarScript }),
  ];
}

/** Serves a file of the reference page. The route has no `docs`, so the API document leaves it out. */
const pageFileRoute = (path: string, content: Parameters<typeof fixedReplyHandler>[0]): Route =>
  route({ method: 'GET', path, access: 'public', handle: fixedReplyHandler(content) });
