/** The reply to a request as a value: a JSON response or a refusal. */
import type { Refusal } from '../../shared/protocol/problem.ts';

/** A response that the store can remember under an `Idempotency-Key`. */
export interface JsonReply {
  status: number;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body: unknown;
}

export interface AnsweredRequest {
  ok: true;
  answer: JsonReply;
  /** True if the record kept its version. */
  changedNothing?: boolean;
}

export interface RefusedRequest {
  ok: false;
  error: Refusal;
}

export type RestReply = AnsweredRequest | RefusedRequest;

export function answered(status: number, body: unknown, headers: Record<string, string> = {}): AnsweredRequest {
  return { ok: true, answer: { status, headers, body } };
}

export const replayedHeader = { 'Idempotency-Replayed': 'true' };
/** Headers of replies that contain a secret. */
export const secretHeaders = { 'Cache-Control': 'no-store' };
