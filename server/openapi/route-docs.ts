/**
 * The words that a person adds to a route for the API document. The rest of the description comes from the route
 * itself.
 */
import type { TSchema } from 'typebox';
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { HeaderName } from './headers.ts';
import type { TagName } from './tags.ts';

export interface RouteDocs {
  operationId: string;
  tag: TagName;
  summary: string;
  description: string;
  response: {
    status: 200 | 201;
    description: string;
    /** The schema of the body, which is JSON unless `contentType` says otherwise. */
    schema: TSchema;
    contentType?: string;
    headers?: HeaderName[];
  };
  /** Codes that do not already follow from the route's token, body, query and path. */
  codes?: ProblemCode[];
  /** True if the route takes `If-None-Match` and may answer 304. */
  conditionalRead?: true;
  /** True if the route takes `If-Match` and may answer 412. */
  conditionalWrite?: true;
  /** `session` is the id of a recording session, which never expires. */
  idempotency?: 'key' | 'session';
  examples: Record<string, ExampleRequest>;
}

/** A request that the document shows and a test sends. `example-responses.json` has its answer. */
export interface ExampleRequest {
  summary: string;
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  body?: object;
}
