/** The reply to a request as a value: a JSON response or a refusal. */
import type { Refusal } from '../../shared/protocol/problem.ts';

/** A response whose body is JSON. The store can keep such a response for requests that repeat an `Idempotency-Key`. */
export interface JsonResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface SuccessReply {
  ok: true;
  response: JsonResponse;
  /** True if the request changed no record, so that no record gets a new version. */
  changedNothing?: boolean;
  /** The request headers on which this reply depends. The response's `Vary` names them, and possibly others. */
  vary?: readonly string[];
  /** True if the response omits the headers that devices do not need. */
  isBrief?: true;
}

/**
 * The refusal of a request, by the rules of the domain or of the server. `RefusedReply` adds a status and headers of
 * HTTP.
 */
export interface RefusedRequest {
  ok: false;
  error: Refusal;
}

export type RestReply = SuccessReply | RefusedRequest;

export function successReply(status: number, body: unknown, headers: Record<string, string> = {}): SuccessReply {
  return { ok: true, response: { status, headers, body } };
}

export const replayedHeader = { 'Idempotency-Replayed': 'true' };
/** Sent with replies that contain a secret. */
export const uncachedHeaders = { 'Cache-Control': 'no-store' };
