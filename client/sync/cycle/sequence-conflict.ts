/** Finds the sequence numbers of a client id under which the server has other mutations than this device. */
import type { ClientProgress, RecordChange } from '../../../shared/protocol/pull.ts';
import type { Problem } from '../../../shared/protocol/problem.ts';
import { deviceProblemOf } from '../../core/device-problem.ts';
import type { SequenceConflict } from '../../outbox/model/sequence/numbering.ts';
import type { Outbox } from '../../outbox/outbox.ts';

/**
 * Compares the hash chain in pulled changes with the outbox's chain, and returns the conflict if they differ. Returns
 * undefined if the server keeps no chain, or if it was restored and lacks mutations that an earlier pull proved.
 */
export async function conflictInChanges(
  changes: readonly RecordChange[],
  outbox: Outbox,
): Promise<SequenceConflict | undefined> {
  const change = changes.find(({ kind, id }) => kind === 'client' && id === outbox.device.client_id);
  const doc = change?.doc as ClientProgress | undefined;
  if (doc?.chain === undefined) return undefined;
  const { client_id, proven_seq, offered_seq = 0 } = await outbox.identity.refreshDevice();
  if (client_id !== change?.id || proven_seq === undefined || doc.last_seq < proven_seq) return undefined;
  await outbox.readMissingMutations(() => proven_seq);
  // A device acknowledges only settled mutations, so an acknowledged pending mutation proves a copy of the device.
  const isAcknowledgedByCopy = outbox
    .entries('pending')
    .some(({ seq }) => seq > proven_seq && seq <= Math.min(doc.acked_seq ?? 0, doc.last_seq));
  if (!isAcknowledgedByCopy && (await outbox.sequence.chainUpTo(doc.last_seq)) === doc.chain) return undefined;
  return { client_id, agreedSeq: Math.min(offered_seq, doc.last_seq), comparison: 'due' };
}

export const sequenceReusedProblem: Problem = deviceProblemOf({
  code: 'sequence_reused',
  detail: 'The server has other work under numbers of this device. The work here gets new numbers.',
});

/**
 * Reads the conflict from a refused request. Without `agreed_seq`, returns the conflict that the device assumes. The
 * field `other_seqs` shows that the server keeps a hash chain, which the device may not know before its first pull.
 */
export function conflictInRefusal(
  { agreed_seq, other_seqs, last_seq }: Problem,
  { fallbackConflict, keepsChain }: { fallbackConflict: SequenceConflict; keepsChain: boolean },
): SequenceConflict {
  const conflict = typeof agreed_seq === 'number' ? { ...fallbackConflict, agreedSeq: agreed_seq } : fallbackConflict;
  const isCompared = Array.isArray(other_seqs);
  if (!isCompared && !keepsChain) return conflict;
  const otherSeqs = isCompared ? other_seqs.filter((seq) => typeof seq === 'number') : [];
  if (otherSeqs.length === 0) return { ...conflict, comparison: 'due' };
  return { ...conflict, comparison: { otherSeqs, hasDiverged: otherSeqs.at(-1) === last_seq } };
}
