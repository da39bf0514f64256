/** Checks by the hash chain whether the server has the same work as this device under this client id's numbers. */
import type { ClientDoc, PullResponse } from '../../../shared/protocol/pull.ts';
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import type { SequenceConflict } from '../../outbox/model/sequence/numbering.ts';
import type { Outbox } from '../../outbox/outbox.ts';

/**
 * The conflict that a pulled page shows, or undefined. Some pages cannot show one: an earlier server keeps no hash chain,
 * and a server with fewer numbers than were verified before was restored from a backup, and is sent everything again.
 */
export async function conflictIn(page: PullResponse, outbox: Outbox): Promise<SequenceConflict | undefined> {
  const change = page.changes.find(({ kind, id }) => kind === 'client' && id === outbox.device.client_id);
  const doc = change?.doc as ClientDoc | undefined;
  if (doc?.chain === undefined) return undefined;
  const { client_id, proven_seq, offered_seq = 0 } = await outbox.identity.refreshDevice();
  if (client_id !== change?.id || proven_seq === undefined || doc.last_seq < proven_seq) return undefined;
  await outbox.catchUp(() => proven_seq);
  // A copy of this device acknowledged answers that this device never received, so the server forgot these answers.
  const isForgotten = outbox
    .entries('pending')
    .some(({ seq }) => seq > proven_seq && seq <= Math.min(doc.acked_seq ?? 0, doc.last_seq));
  if (!isForgotten && (await outbox.sequence.chainAt(doc.last_seq)) === doc.chain) return undefined;
  return { client_id, agreedSeq: Math.min(offered_seq, doc.last_seq), compared: { otherSeqs: [], hasDiverged: false } };
}

/** The conflict if no response said up to which number both sides have the same work: `assumed` holds an assumed number. */
export const assumedConflict = (assumed: SequenceConflict, keepsChain: boolean): SequenceConflict =>
  keepsChain ? { ...assumed, compared: { otherSeqs: [], hasDiverged: false } } : assumed;

export const sequenceReused: Problem = problemOf({
  code: 'sequence_reused',
  detail: 'The server has other work under numbers of this device. What is kept here is numbered anew.',
});

/** The conflict that a refused push shows. A server without a hash chain only says that it has higher numbers. */
export function conflictOfRefusal(
  { agreed_seq, other_seqs, last_seq }: Problem,
  { assumed, keepsChain }: { assumed: SequenceConflict; keepsChain: boolean },
): SequenceConflict {
  const conflict = typeof agreed_seq === 'number' ? { ...assumed, agreedSeq: agreed_seq } : assumed;
  if (!Array.isArray(other_seqs) && !keepsChain) return conflict;
  const otherSeqs = ((other_seqs ?? []) as unknown[]).filter((seq) => typeof seq === 'number');
  return { ...conflict, compared: { otherSeqs, hasDiverged: otherSeqs.at(-1) === last_seq } };
}
