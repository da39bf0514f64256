/**
 * Checks that each sequence number means the same mutation on the device and on the server. Reports a conflict as a
 * failure.
 */
import type { RecordChange } from '../../../shared/protocol/pull.ts';
import type { SequenceConflict } from '../../outbox/model/sequence/numbering.ts';
import { isChainVerified } from '../../outbox/model/settling/settlement.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { View } from '../../view/view.ts';
import { RequestError, type RequestFailure } from '../net/failure.ts';
import type { Transport } from '../net/transport.ts';
import { busyFailureIfBatchIsSmall, emptyBatch } from './batch.ts';
import { SyncError, type SyncFailure } from './failure/sync-failure.ts';
import { conflictInChanges, conflictInRefusal, sequenceReusedProblem } from './sequence-conflict.ts';

interface SequenceCheckOptions {
  outbox: Outbox;
  view: View;
  transport: Transport;
}

interface FailedPushContext {
  /** The device's client id at the time of the push. */
  clientId: string;
  /** The conflict that the device assumes if the server does not say where both sides differ. */
  fallbackConflict: SequenceConflict;
}

export class SequenceCheck {
  readonly #options: SequenceCheckOptions;
  /** Whether a push or pull of this tab has shown the server's highest sequence number under this client id. */
  #knowsServerSeq = false;

  constructor(options: SequenceCheckOptions) {
    this.#options = options;
  }

  /** Throws if pulled changes show that the server has other mutations under this device's sequence numbers. */
  async verifyChanges(changes: readonly RecordChange[]): Promise<void> {
    const conflict = await conflictInChanges(changes, this.#options.outbox);
    if (conflict) throw conflictError(conflict);
  }

  /** Must be called after a pull. Throws if the server has higher sequence numbers than this device sent. */
  requireAgreementAfterPull(): void {
    this.#requireServerNotAhead();
    this.#knowsServerSeq = true;
  }

  /**
   * Sends an empty push before this tab's first mutations. A server with sequence numbers that this database never sent
   * refuses the push. Sends nothing before the first sync, or once a pull or push has shown these numbers.
   */
  async probeServerSeqOnce(account_id: string, signal: AbortSignal): Promise<void> {
    this.#requireServerNotAhead();
    const neverSynced = this.#options.view.base.cursor === undefined;
    if (this.#knowsServerSeq || neverSynced) return;
    await this.pushEmptyBatch(account_id, signal);
    this.#knowsServerSeq = true;
  }

  /** Sends a push without mutations, to learn whether the server accepts this device's sequence numbers. */
  async pushEmptyBatch(account_id: string, signal: AbortSignal): Promise<void> {
    const { outbox, view, transport } = this.#options;
    const { client_id, offered_seq = 0 } = outbox.device;
    const request = { client_id, account_id, acked_seq: view.settledSeq, offered_seq, mutations: [] };
    try {
      await transport.push(request, signal);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const fallbackConflict = { client_id, agreedSeq: offered_seq };
      throw new SyncError(this.#failureWithoutMutations(error.failure, { clientId: client_id, fallbackConflict }));
    }
  }

  /** Must be called when the server has answered a batch of the device's own mutations. */
  onOwnBatchAnswered(): void {
    this.#knowsServerSeq = true;
  }

  /**
   * Turns the failure of a push into a failure of the sync. Adds the client id or the conflict, which the recovery
   * needs.
   */
  failureOfPush(failure: RequestFailure, { clientId, fallbackConflict }: FailedPushContext): SyncFailure {
    switch (failure.kind) {
      case 'gap':
      case 'other_owner':
        return { ...failure, clientId };
      case 'reused': {
        const conflict = conflictInRefusal(failure.problem, { fallbackConflict, keepsChain: this.#serverKeepsChain });
        return { ...failure, conflict };
      }
      default:
        return failure;
    }
  }

  /** Turns the failure of a request that pushes nothing into a failure of the sync. */
  failureOfOtherRequest(failure: RequestFailure): SyncFailure {
    const { client_id, offered_seq = 0 } = this.#options.outbox.device;
    const fallbackConflict = { client_id, agreedSeq: offered_seq };
    return this.#failureWithoutMutations(failure, { clientId: client_id, fallbackConflict });
  }

  /** Handles the failure of a request without mutations like the failure of an empty push. */
  #failureWithoutMutations(failure: RequestFailure, context: FailedPushContext): SyncFailure {
    return this.failureOfPush(busyFailureIfBatchIsSmall(failure, emptyBatch), context);
  }

  /**
   * Throws if the server has higher sequence numbers than this device sent. Does nothing if the device verified the
   * server's hash chain, since `verifyChanges` then finds every conflict.
   */
  #requireServerNotAhead(): void {
    const { outbox, view } = this.#options;
    const { client_id, offered_seq = 0 } = outbox.device;
    const { client } = view;
    const isServerAhead = !isChainVerified(client, outbox.device) && (client?.last_seq ?? 0) > offered_seq;
    if (isServerAhead) throw conflictError({ client_id, agreedSeq: offered_seq });
  }

  /** True if the server keeps a hash chain, and so can compare pushed mutations with its own. */
  get #serverKeepsChain(): boolean {
    return this.#options.view.client?.chain !== undefined;
  }
}

export const conflictError = (conflict: SequenceConflict): SyncError =>
  new SyncError({ kind: 'reused', problem: sequenceReusedProblem, conflict });
