/** The texts and examples of a route for the API document. The rest of the document is derived from the route. */
import type { TSchema } from 'typebox';
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { ResponseHeaderName } from '../../shared/protocol/http-headers.ts';
import type { TagName } from './tags.ts';

export interface RouteDocs {
  /** The schema of a body that the route's handler gets as bytes, such as JSON or CSV. */
  unparsedBody?: TSchema;
  operationId: string;
  tag: TagName;
  summary: string;
  description: string;
  response: {
    status: 200 | 201 | 204;
    description: string;
    /** The schema of the body, which is JSON unless `contentType` names another type. Absent without a body. */
    schema?: TSchema;
    contentType?: string;
    /** True if the route packs the lists of the body for a client that accepts it. */
    packed?: true;
    headers?: ResponseHeaderName[];
  };
  /** Problem codes of the route, in addition to the codes that problem-codes.ts derives from the route. */
  codes?: ProblemCode[];
  /** True if the route takes `If-None-Match` and may reply 304. */
  conditionalRead?: true;
  /** True if the route takes `Range` and may reply 206. */
  takesRange?: true;
  /** `any`: the route takes the header `Tus-Resumable`. `append`: the route takes `Upload-Offset`, too. */
  tus?: 'any' | 'append';
  /** True if the route takes `If-Match` and may reply 412. */
  conditionalWrite?: true;
  /**
   * `key`, `session`: an idempotency key or a recording session identifies a repeated request. `unneeded`: the request
   * changes nothing, so the server validates its key and repeats no reply.
   */
  idempotency?: 'key' | 'session' | 'unneeded';
  examples: Record<string, ExampleRequest>;
}

/** A request that the document shows and a test sends. `example-responses.json` has the response. */
export interface ExampleRequest {
  summary: string;
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  body?: object;
  /** The body of a route that takes no JSON. */
  text?: string;
}
