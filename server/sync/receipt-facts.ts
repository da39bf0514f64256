/**
 * Tells the gateway the facts for the receipt of a sealed push. The response to the inner push has the facts in a
 * header, which the gateway removes. The gateway cannot read the body of the response, which may be compressed.
 */
import type { PushRequest, PushResponse } from '../../shared/protocol/push.ts';

export interface ReceiptFacts {
  lastSeq: number;
  isRefused: boolean;
}

export const receiptFactsHeader = 'gemba-answered-push';

/**
 * Returns no header if the push has no mutations, a mutation has no sequence number, or a mutation has no answer in the
 * results. In the last case, the client has acknowledged the answer, which may be a refusal.
 */
export function formatReceiptFacts(
  { mutations }: PushRequest,
  { results, last_seq }: PushResponse,
): Record<string, string> {
  const seqs = mutations.map((mutation) => (mutation as { seq?: unknown } | null)?.seq);
  const lastSeq = seqs.at(-1);
  const hasNumbers = seqs.every((seq) => typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0);
  if (!hasNumbers || typeof lastSeq !== 'number' || lastSeq > last_seq) return {};
  const answered = new Set<unknown>(results.map(({ seq }) => seq));
  if (!seqs.every((seq) => answered.has(seq))) return {};
  const isRefused = results.some(({ status }) => status === 'rejected');
  return { [receiptFactsHeader]: `${lastSeq} ${isRefused ? 'refused' : 'applied'}` };
}

export function parseReceiptFacts(header: string | string[] | undefined): ReceiptFacts | undefined {
  const [, seq, outcome] = /^(\d+) (refused|applied)$/.exec(String(header)) ?? [];
  return seq === undefined ? undefined : { lastSeq: Number(seq), isRefused: outcome === 'refused' };
}
