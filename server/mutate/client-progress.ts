/** Keeps each client's row up to date with how far the server has answered the client's mutations. */
import { chainStart } from '../../shared/protocol/chain.ts';
import type { MutationAnswer } from '../../shared/protocol/push.ts';
import { countRejections, type ClientRow } from '../store/rows/client-row.ts';
import { extendChain } from './verify-chain.ts';
import type { WorkingSet } from './working-set/working-set.ts';

export function newSyncClient(clientId: string, deviceId: string | null): ClientRow {
  return {
    client_id: clientId,
    device_id: deviceId,
    seen_at: null,
    version: 0,
    last_seq: 0,
    acked_seq: 0,
    chain: chainStart,
    rejectedSeqs: [],
    newRejections: [],
  };
}

/** Returns the client's row after the client acknowledged all answers, also rejections, up to the number `ackedSeq`. */
export function withAcknowledgement(client: ClientRow, ackedSeq: number): ClientRow {
  // After the server was restored from a backup, a client may acknowledge numbers that the server does not have.
  const acked_seq = Math.max(client.acked_seq, Math.min(ackedSeq, client.last_seq));
  return {
    ...client,
    acked_seq,
    rejectedSeqs: client.rejectedSeqs.filter((seq) => seq > acked_seq),
    newRejections: client.newRejections.filter(({ seq }) => seq > acked_seq),
  };
}

interface PushProgress {
  before: ClientRow;
  /** The client's row with its new acknowledgement, but without the new answers. */
  client: ClientRow;
  answers: MutationAnswer[];
  /** The digest of each answered mutation. */
  digests: string[];
}

/**
 * Runs after all mutations of the push, so that the sync client's row gets the highest version. A device that pulls
 * this row has therefore also pulled the effects of the mutations.
 */
export function saveSyncClientProgress(set: WorkingSet, { before, client, answers, digests }: PushProgress): void {
  if (answers.length === 0 && client.acked_seq === before.acked_seq) return;
  const rejections = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [{ seq: answer.seq, error: answer.error }] : [],
  );
  // If the client acknowledged only applied mutations, a pull would show only a new `acked_seq`, and that can wait.
  const isShownByPull = answers.length > 0 || countRejections(client) < countRejections(before);
  set.clients.put({
    ...client,
    last_seq: client.last_seq + answers.length,
    chain: extendChain(client.chain, digests),
    newRejections: [...client.newRejections, ...rejections],
    version: isShownByPull ? set.nextVersion() : client.version,
  });
  if (answers.length === 0) return;
  set.rememberAnswers(
    client.client_id,
    answers.map((answer, index) => ({ ...answer, digest: digests[index]! })),
  );
}
