/** What a person has to add to a route so that it can be described. The rest comes from the route itself. */
import type { TSchema } from 'typebox';
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { HeaderName } from './headers.ts';

export interface OperationNotes {
  operationId: string;
  summary: string;
  description: string;
  /** What each query parameter means. */
  query?: Record<string, string>;
  answer: {
    status: 200 | 201;
    description: string;
    /** JSON by default. */
    schema: TSchema;
    contentType?: string;
    headers?: HeaderName[];
  };
  /** Those that do not follow from the route: it knows of its token, its body, its query and the ids in its path. */
  codes?: ProblemCode[];
  /** Takes `If-None-Match` and may answer 304. */
  conditionalRead?: true;
  /** Takes `If-Match` and may answer 412. */
  conditionalWrite?: true;
  /** `session`: the key of a recording, for ever. */
  idempotency?: 'key' | 'session';
  examples: Record<string, ExampleRequest>;
}

/** A request that the document shows and a test sends. Its answer stands in `example-answers.json`. */
export interface ExampleRequest {
  summary: string;
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  body?: object;
}

/** One area of the service. */
export interface Resource {
  tag: string;
  description: string;
  /** By method and path in Express's syntax, as the routes have them. */
  operations: Record<string, OperationNotes>;
}

export const paging = {
  limit: 'How many records a page may have. Default: 50.',
  cursor: 'Where the page begins: `next_cursor` of the page before. It belongs to this list with these filters.',
};
