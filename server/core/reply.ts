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
  /** The request headers by which this reply was chosen. The response may have others in `Vary`, too. */
  vary?: readonly string[];
  /** True if the response goes without the headers that only people and other clients need. */
  isBrief?: true;
}

/** A refusal as a result. `Refused` is one by the rules of the domain; `RefusedReply` adds what only HTTP has. */
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
export const noStoreHeaders = { 'Cache-Control': 'no-store' };
