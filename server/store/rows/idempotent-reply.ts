/** Converts the reply to a request with an `Idempotency-Key` to and from its stored columns. */
import type { IdempotentReply } from '../transaction.ts';

/** `headers` and `body` are JSON text, so that a repeated request gets the body's fields in the same order. */
export type IdempotentReplyColumns = Omit<IdempotentReply, 'headers' | 'body'> & { headers: string; body: string };

export function parseIdempotentReply({ headers, body, ...columns }: IdempotentReplyColumns): IdempotentReply {
  return { ...columns, headers: JSON.parse(headers), body: JSON.parse(body) };
}

export function toIdempotentReplyColumns({ headers, body, ...columns }: IdempotentReply): IdempotentReplyColumns {
  return { ...columns, headers: JSON.stringify(headers), body: JSON.stringify(body ?? null) };
}
