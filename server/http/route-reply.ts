/** The reply of a handler as a value: JSON, a stream or a refusal. */
import type { ServerResponse } from 'node:http';
import type { SuccessReply, RefusedRequest } from '../core/reply.ts';

/** `status` overrides the usual status of the code: map_deleted is 404 on GET. */
export interface RefusedReply extends RefusedRequest {
  status?: number;
  /** True if the connection closes after the response, without waiting for the rest of the body. */
  endsConnection?: boolean;
}

export type Reply = SuccessReply | StreamReply | RefusedReply;

/** A reply that is not JSON. */
export interface StreamReply {
  ok: true;
  headers: Record<string, string>;
  /**
   * Writes the response, status and `headers` included, or writes nothing and returns a refusal. Not called for HEAD.
   */
  stream(response: ServerResponse): Promise<RefusedReply | void>;
}
