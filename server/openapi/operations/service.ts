import { Type } from 'typebox';
import type { Resource } from '../notes.ts';

const Status = (status: string) => Type.Object({ status: Type.Literal(status) });

export const service: Resource = {
  tag: 'Service',
  description: 'The state of the server, and this document.',
  operations: {
    'GET /healthz': {
      operationId: 'getHealth',
      summary: 'Does the process live?',
      description: 'Answers as long as the process does.',
      answer: { status: 200, description: 'It lives.', schema: Status('ok') },
      examples: { plain: { summary: 'It lives' } },
    },

    'GET /readyz': {
      operationId: 'getReadiness',
      summary: 'Can it serve?',
      description: '503 while the server starts or drains, or its store is down: a balancer sends requests elsewhere.',
      answer: { status: 200, description: 'It can serve.', schema: Status('ready') },
      examples: { plain: { summary: 'It can serve' } },
    },

    'GET /api/v1/openapi.json': {
      operationId: 'getOpenApi',
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

    'GET /docs': {
      operationId: 'getReference',
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
  },
};
