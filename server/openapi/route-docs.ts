/** What a person adds to a route so that the API document can describe it. Everything else comes from the route itself. */
import type { TSchema } from 'typebox';
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { HeaderName } from './headers.ts';
import type { TagName } from './tags.ts';

export interface RouteDocs {
  operationId: string;
  tag: TagName;
  summary: string;
  description: string;
  answer: {
    status: 200 | 201;
    description: string;
    /** JSON by default. */
    schema: TSchema;
    contentType?: string;
    headers?: HeaderName[];
  };
  /** Codes that do not follow from the route's token, body, query and ids in the path. */
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
