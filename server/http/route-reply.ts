/** The reply of a route's handler as a value: JSON, bytes, a stream, headers alone, or a refusal. */
import type { ServerResponse } from 'node:http';
import type { SuccessReply, RefusedRequest } from '../core/reply.ts';

/** The refusal of an HTTP request. Unlike a `RefusedRequest`, it may replace the usual status of its code. */
export interface RefusedReply extends RefusedRequest {
  /** Replaces the usual status of the code. For example, `map_deleted` is 404 on GET and 409 otherwise. */
  status?: number;
  /** Headers in addition to the usual headers of the problem code. */
  headers?: Record<string, string>;
  /** True if the connection closes after the response instead of waiting for the rest of the request body. */
  endsConnection?: boolean;
}

export type Reply = SuccessReply | BytesReply | StreamReply | EmptyReply | RefusedReply;

/** A reply without a body. */
export interface EmptyReply {
  ok: true;
  emptyStatus: 200 | 204;
  headers: Record<string, string>;
}

/** A reply that is not JSON, with status 200. */
export interface BytesReply {
  ok: true;
  headers: Record<string, string>;
  bytes: Uint8Array;
}

/** A reply that writes its own response, such as an event stream or a file. */
export interface StreamReply {
  ok: true;
  headers: Record<string, string>;
  /** The request headers by which the handler chose this reply. `respond` adds their names to the header `Vary`. */
  vary?: readonly string[];
  /**
   * Writes the status, the `headers` and the body. Alternatively writes nothing and returns a refusal. The pipeline
   * does not call `stream` for HEAD.
   */
  stream(response: ServerResponse): Promise<RefusedReply | void>;
}
