/** What a request comes to, as a value: an HTTP answer, or why it is refused. */
import type { Refusal } from '../../shared/protocol/problem.ts';

/** What an `Idempotency-Key` remembers. */
export interface JsonReply {
  status: number;
  headers: Record<string, string>;
  /** Serialized as JSON. */
  body: unknown;
}

export interface AnsweredRequest {
  ok: true;
  answer: JsonReply;
  /** The record stayed at its version. */
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
/** Of an answer that shows a secret. */
export const secretHeaders = { 'Cache-Control': 'no-store' };
