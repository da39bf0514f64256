/**
 * Searches for the mutation whose content makes pushes fail. Each call halves the batch, if an empty push succeeds. A
 * mutation that fails several times as the only one in its batch becomes unsendable. Loaded when pushes fail.
 */
import type { Outbox } from '../../../outbox/outbox.ts';
import type { Transport } from '../../net/transport.ts';
import { ensureAccountId } from '../account.ts';
import type { Batch } from '../batch.ts';
import type { SequenceCheck } from '../sequence-check.ts';
import { emptyPushError, firewallProblem, singleMutationError } from './content-failures.ts';
import { judgeSingleMutationFailure, type FailureCounts } from './failure-counts.ts';
import { isContentSuspect, SyncError, type SyncFailure } from './sync-failure.ts';

interface SearchOptions {
  outbox: Outbox;
  transport: Transport;
  check: SequenceCheck;
  /** The batch that failed. */
  batch: Batch;
  counts: FailureCounts;
  failure: SyncFailure;
  signal: AbortSignal;
}

/**
 * Resolves to `halve` if the caller must halve the batch, and to `marked` if the mutation became unsendable. Calls
 * `storeCounts` with the failure counts for the next call, even if this call throws.
 */
export async function isolateFailingMutation(
  options: SearchOptions,
  storeCounts: (counts: FailureCounts) => void,
): Promise<'halve' | 'marked'> {
  const { outbox, check, batch, counts: before, failure, signal } = options;
  try {
    await check.pushEmptyBatch(await ensureAccountId(options, signal), signal);
  } catch (error) {
    if (error instanceof SyncError && isContentSuspect(error.failure)) throw emptyPushError(error.failure);
    throw error;
  }
  const [entry, ...others] = batch.entries;
  if (others.length > 0) return 'halve';
  const { counts, isUnsendable } = judgeSingleMutationFailure(before);
  storeCounts(counts);
  if (!entry || !isUnsendable) throw singleMutationError(failure);
  await outbox.writer.markUnsendable(entry, firewallProblem(failure));
  return 'marked';
}
