/** Routes that describe the API: the OpenAPI document for programs and the reference page for people. */
import { Type } from 'typebox';
import { apiDocument } from '../../openapi/document.ts';
import {
  referencePage,
  referencePolicy,
  referenceStart,
  referenceStyle,
  scalarScript,
} from '../../openapi/reference/page.ts';
import { route, type Route } from '../route.ts';
import { fixedReply } from '../web/fixed-reply.ts';

const script = 'text/javascript; charset=utf-8';

export function referenceRoutes(allRoutes: () => Route[]): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/openapi.json',
      access: 'public',
      handle: fixedReply({
        type: 'application/json; charset=utf-8',
        make: () => JSON.stringify(apiDocument(allRoutes())),
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
      handle: fixedReply({
        type: 'text/html; charset=utf-8',
        headers: { 'Content-Security-Policy': referencePolicy },
        make: referencePage,
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

    file('/docs/reference.css', { type: 'text/css; charset=utf-8', make: referenceStyle }),
    file('/docs/start.js', { type: script, make: referenceStart }),
    file('/docs/scalar.js', { type: script, make: scalarScript }),
  ];
}

/** Serves a file that the reference page loads. The API document leaves this route out. */
const file = (path: string, fixed: Parameters<typeof fixedReply>[0]): Route =>
  route({ method: 'GET', path, access: 'public', handle: fixedReply(fixed) });
