/** What a handler answers: JSON, a stream or a refusal. */
import type { ServerResponse } from 'node:http';
import type { AnsweredRequest, RefusedRequest } from '../core/reply.ts';

/** `status` where a code has two (map_deleted on GET is 404). */
export interface RefusedReply extends RefusedRequest {
  status?: number;
  /** The rest of the body is not waited for: the connection closes after the answer. */
  endsConnection?: boolean;
}

export type Reply = AnsweredRequest | StreamReply | RefusedReply;

/** Whatever is no JSON. */
export interface StreamReply {
  ok: true;
  headers: Record<string, string>;
  /** Writes the head with `headers`, then the body; or nothing, and gives the refusal. HEAD has no use for it. */
  stream(response: ServerResponse): Promise<RefusedReply | void>;
}
