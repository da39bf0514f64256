/**
 * Searches for the mutation whose content makes pushes fail. Each call halves the batch, provided that an empty push
 * succeeds. A mutation that fails alone several times becomes unsendable. Loaded when pushes fail.
 */
import type { Outbox } from '../../../outbox/outbox.ts';
import type { Transport } from '../../net/transport.ts';
import { ensureAccountId } from '../account.ts';
import type { Batch } from '../batch.ts';
import type { SequenceCheck } from '../sequence-check.ts';
import { emptyPushFailure, firewallProblem, singleMutationFailure } from './content-failures.ts';
import { judgeSingleMutationFailure, type Suspicion } from './suspicion.ts';
import { isContentSuspect, SyncError, type SyncFailure } from './sync-failure.ts';

interface SearchOptions {
  outbox: Outbox;
  transport: Transport;
  check: SequenceCheck;
  /** The batch that failed. */
  batch: Batch;
  suspicion: Suspicion;
  failure: SyncFailure;
  signal: AbortSignal;
}

/**
 * Resolves to `halve` if the batch must be halved first, and to `marked` if the mutation became unsendable. `onJudged`
 * gets the suspicion for the next call, also where this one throws.
 */
export async function isolateFailingMutation(
  options: SearchOptions,
  onJudged: (suspicion: Suspicion) => void,
): Promise<'halve' | 'marked'> {
  const { outbox, check, batch, suspicion: before, failure, signal } = options;
  try {
    await check.pushEmptyBatch(await ensureAccountId(options, signal), signal);
  } catch (error) {
    if (error instanceof SyncError && isContentSuspect(error.failure)) throw emptyPushFailure(error.failure);
    throw error;
  }
  const [entry, ...others] = batch.entries;
  if (others.length > 0) return 'halve';
  const { suspicion, isUnsendable } = judgeSingleMutationFailure(before);
  onJudged(suspicion);
  if (!entry || !isUnsendable) throw singleMutationFailure(failure);
  await outbox.writer.markUnsendable(entry, firewallProblem(failure));
  return 'marked';
}
