/**
 * Refusals of a push. A refused transaction applies none of its mutations. A very long push takes several transactions.
 * The transactions before the refusal stay applied, and the device gets their answers when it pushes again.
 */
import type { RefusedRequest } from '../core/reply.ts';
import type { AnswerCounts } from './working-set/sync-client-set.ts';
import type { SequenceDifference } from './verify-chain.ts';

export function sequenceGapRefusal(expectedSeq: number): RefusedRequest {
  const detail = `The next mutation of this client must have seq ${expectedSeq}; nothing more was applied.`;
  return { ok: false, error: { code: 'sequence_gap', detail, members: { expected_seq: expectedSeq } } };
}

/** The empty `other_seqs` tells a device that has not pulled yet that this server keeps a hash chain. */
export function serverAheadRefusal(lastSeq: number, offeredSeq: number): RefusedRequest {
  const detail = `The server has mutations up to ${lastSeq} of this client, which has sent only those up to ${offeredSeq}: it used numbers twice; nothing more was applied.`;
  return { ok: false, error: { code: 'sequence_reused', detail, members: { last_seq: lastSeq, other_seqs: [] } } };
}

/** `other_seqs` is empty if the server knows only that the hash chains differ. */
export function sequenceConflictRefusal(lastSeq: number, difference: SequenceDifference): RefusedRequest {
  const { kind, agreedSeq } = difference;
  const found = kind === 'chain' ? 'with another hash chain' : `and other ones from ${agreedSeq + 1} on`;
  const detail = `The server has mutations up to ${lastSeq} of this client, ${found}: a copy of the device, or an earlier state of it, used these numbers; nothing more was applied.`;
  const otherSeqs = kind === 'chain' ? [] : difference.otherSeqs;
  const members = { last_seq: lastSeq, agreed_seq: agreedSeq, other_seqs: otherSeqs };
  return { ok: false, error: { code: 'sequence_reused', detail, members } };
}

export function tooManyClientsRefusal(limit: number): RefusedRequest {
  const detail = `There are ${limit} sync clients already, as many as there may be; nothing more was applied.`;
  return { ok: false, error: { code: 'client_limit_reached', detail, members: { limit } } };
}

export function unacknowledgedAnswersRefusal({ rejections, answers }: AnswerCounts): RefusedRequest {
  const unacknowledged = rejections || answers;
  const what = rejections > 0 ? 'rejections' : 'answers';
  const detail = `${unacknowledged} ${what} wait to be acknowledged by acked_seq; nothing more was applied.`;
  return { ok: false, error: { code: 'acknowledge_first', detail, members: { unacknowledged } } };
}
