/**
 * Divides the entries to push into batches, and adapts the batch size to the network. If one mutation's content makes
 * pushes fail, finds the mutation by halving the batch.
 */
import type { SendableEntry } from '../../outbox/model/entry.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { RequestFailure } from '../net/failure.ts';
import type { Transport } from '../net/transport.ts';
import {
  batchBytesMax,
  doubledBatchLimit,
  emptyBatch,
  halvedBatchLimit,
  hasSingleEntry,
  isNetworkTooSlow,
  nextBatch,
  type Batch,
} from './batch.ts';
import type { SyncFailure } from './failure/sync-failure.ts';
import type { SequenceCheck } from './sequence-check.ts';
import type { FailureCounts } from './failure/failure-counts.ts';

interface BatcherOptions {
  outbox: Outbox;
  transport: Transport;
  check: SequenceCheck;
}

const noFailures: FailureCounts = { singleFailures: 0, unsendable: 0 };

export class Batcher {
  readonly #options: BatcherOptions;
  /** The batch of the last push. If the push fails, a recovery divides this batch. */
  #lastBatch: Batch = emptyBatch;
  /** The current size limit of a batch: halved after failures, and doubled after successes. */
  #bytesMax = batchBytesMax;
  #failures: FailureCounts = noFailures;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  nextBatch(entries: readonly SendableEntry[]): Batch {
    this.#lastBatch = nextBatch(entries, this.#bytesMax);
    return this.#lastBatch;
  }

  onBatchAnswered(batch: Batch): void {
    if (batch.entries.some(({ payload }) => payload.kind === 'mutation')) this.#failures = noFailures;
  }

  allowLargerBatch(): void {
    this.#bytesMax = doubledBatchLimit(this.#bytesMax);
  }

  onPushFailed(failure: RequestFailure, batch: Batch): void {
    if (isNetworkTooSlow(failure) && !hasSingleEntry(batch)) this.#bytesMax = halvedBatchLimit(this.#bytesMax, batch);
  }

  /**
   * Halves the size limit after a batch was too large. If the batch had one mutation, makes the mutation unsendable
   * instead.
   */
  async splitBatch(): Promise<void> {
    const [entry] = this.#lastBatch.entries;
    if (!entry || !hasSingleEntry(this.#lastBatch)) return this.#halveLimit();
    const { tooLargeProblem } = await import('./failure/content-failures.ts');
    await this.#options.outbox.writer.markUnsendable(entry, tooLargeProblem);
  }

  /** Searches for the mutation whose content makes pushes fail. Each call is one step of the search. */
  async isolateFailingMutation(failure: SyncFailure, signal: AbortSignal): Promise<void> {
    const { isolateFailingMutation } = await import('./failure/content-search.ts');
    const options = { ...this.#options, batch: this.#lastBatch, counts: this.#failures, failure, signal };
    const done = await isolateFailingMutation(options, (counts) => (this.#failures = counts));
    if (done === 'halve') this.#halveLimit();
  }

  #halveLimit(): void {
    this.#bytesMax = halvedBatchLimit(this.#bytesMax, this.#lastBatch);
  }
}
