/** Pushes the outbox's mutations to the server in order, in batches. */
import type { PushBase } from '../../../shared/protocol/effects.ts';
import type { PushRequest, PushResponse } from '../../../shared/protocol/push.ts';
import type { Clock } from '../../core/clock.ts';
import type { PendingEntry, SendableEntry } from '../../outbox/model/entry.ts';
import { noAgreedSeq, type SequenceConflict } from '../../outbox/model/sequence/numbering.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { View } from '../../view/view.ts';
import { RequestError, type RequestFailure } from '../net/failure.ts';
import { uploadTimeoutMsOf } from '../net/timeouts.ts';
import type { Transport } from '../net/transport.ts';
import { ensureAccountId } from './account.ts';
import {
  countEntriesToPush,
  entriesToPush,
  busyFailureIfBatchIsSmall,
  hasSingleEntry,
  toPushedMutation,
  type Batch,
  type ServerSeq,
} from './batch.ts';
import { SyncError } from './failure/sync-failure.ts';
import type { Batcher } from './batcher.ts';
import type { VerifiedEffects } from './effects/verified-effects.ts';
import { conflictError, type SequenceCheck } from './sequence-check.ts';

interface PusherOptions {
  outbox: Outbox;
  view: View;
  transport: Transport;
  check: SequenceCheck;
  batcher: Batcher;
  verified: VerifiedEffects;
  now: () => string;
  clock: Pick<Clock, 'schedule'>;
  /** Called before each upload with the milliseconds that the upload may take. */
  onUpload: (ms: number) => void;
}

export interface OutgoingPush {
  batch: Batch;
  /** The request without its mutations. */
  head: Omit<PushRequest, 'mutations'>;
  /** The device's client id when the batch was made. If the push fails, its failure names this client id. */
  clientId: string;
  signal: AbortSignal;
  /** The records from which the server computes the push's effects; absent if the push must not ask for effects. */
  base?: PushBase | undefined;
  /** Hashes the mutations while the server works on the push, since the next push needs their hash chain. */
  hashAhead?: () => void;
}

export class Pusher {
  readonly #options: PusherOptions;
  /**
   * The highest sequence number that the server had at the last push response. Undefined after a pull, since the pulled
   * client record then has this number.
   */
  #serverSeq: ServerSeq | undefined;

  constructor(options: PusherOptions) {
    this.#options = options;
  }

  /**
   * Pushes one batch. `more` is false if nothing is left to push, or if many verified effects must be written first.
   */
  async push(signal: AbortSignal): Promise<{ more: boolean; wasAnswered: boolean }> {
    const { outbox, view, check, batcher, verified } = this.#options;
    await outbox.readMissingMutations(() => view.settledSeq);
    if (this.unpushedCount === 0) return { more: false, wasAnswered: false };
    const account_id = await ensureAccountId(this.#options, signal);
    await check.probeServerSeqOnce(account_id, signal);
    // Reads the first entry only now, since the outbox may have changed during the requests above.
    const [first] = this.#entriesToPush();
    if (first?.state === 'forwarded') await this.#pushForwarded(account_id, first.client_id, signal);
    else if (first) await this.#pushOwn(account_id, first, signal);
    batcher.allowLargerBatch();
    return { more: this.unpushedCount > 0 && !verified.isFull, wasAnswered: first !== undefined };
  }

  /** Forgets the answers to earlier pushes, since the pull has shown which mutations the server has. */
  onPulled(): void {
    this.#serverSeq = undefined;
  }

  get unpushedCount(): number {
    return countEntriesToPush(this.#options.view.unsettled, this.#serverProgress);
  }

  async #pushOwn(account_id: string, { client_id, seq }: PendingEntry, signal: AbortSignal): Promise<void> {
    const { outbox, view, check, batcher, verified, clock } = this.#options;
    // Reads `offered_seq` before `rememberSentNumber` raises it, since the request names the highest sequence number
    // that earlier pushes sent.
    const offered_seq = outbox.device.offered_seq ?? 0;
    const batch = batcher.nextBatch(this.#entriesToPush());
    const chain = await outbox.sequence.chainUpTo(seq - 1);
    const lastSeq = batch.entries.at(-1)?.seq ?? seq;
    await outbox.identity.rememberSentNumber(client_id, lastSeq);
    const withChain = chain === undefined ? {} : { chain };
    const head = { client_id, account_id, acked_seq: view.settledSeq, offered_seq, ...withChain };
    // Without a chain, the device cannot verify effects: the server may have other mutations of this client id.
    const base = chain === undefined ? undefined : verified.pushBase;
    const hash = () => void outbox.sequence.chainUpTo(lastSeq).catch(() => {});
    // Hashes in the next task, after the request was sent. If the engine closes earlier, the timer is cancelled.
    const hashAhead = () => {
      if (signal.aborted) return;
      const cancelHashing = clock.schedule(0, hash);
      signal.addEventListener('abort', cancelHashing);
    };
    const response = await this.#send({ batch, head, clientId: client_id, signal, base, hashAhead });
    const { last_seq, results } = response;
    // The server forgets only acknowledged answers, and this device acknowledged none of these. If an answer is
    // missing, a copy of the device acknowledged it. With a hash chain, the server compares the chain instead.
    const answered = new Set(results.map((answer) => answer.seq));
    const missing = chain === undefined && batch.entries.find((entry) => !answered.has(entry.seq));
    if (missing) throw conflictError({ client_id, agreedSeq: missing.seq - 1 });
    this.#serverSeq = { clientId: client_id, seq: last_seq };
    check.onOwnBatchAnswered();
    await verified.onPushed(base, batch, response);
  }

  async #pushForwarded(account_id: string, client_id: string, signal: AbortSignal): Promise<void> {
    const { pushForwarded } = await import('./push-forwarded.ts');
    await pushForwarded({
      ...this.#options,
      account_id,
      client_id,
      signal,
      entriesToPush: () => this.#entriesToPush(),
      send: (outgoing) => this.#send(outgoing),
    });
  }

  /**
   * Sends `sent_at`, so that the server can correct recorded times by the device's clock. A push of another device's
   * mutations has no `sent_at`, since another clock made their times.
   */
  async #send(outgoing: OutgoingPush): Promise<PushResponse> {
    const { transport, now, onUpload, batcher, verified } = this.#options;
    const { batch, head, signal, base, hashAhead } = outgoing;
    const mutations = await Promise.all(batch.entries.map(toPushedMutation));
    const isFromOtherDevice = batch.entries.some(({ is_foreign }) => is_foreign);
    const time = isFromOtherDevice ? {} : { sent_at: now() };
    onUpload(uploadTimeoutMsOf(batch.bytes, hasSingleEntry(batch)));
    try {
      const response = await transport.push({ ...head, ...time, mutations }, signal, { base, onSend: hashAhead });
      batcher.onBatchAnswered(batch);
      return response;
    } catch (error) {
      verified.onPushFailed(base);
      throw error instanceof RequestError ? this.#pushFailure(error.failure, outgoing) : error;
    }
  }

  #pushFailure(failure: RequestFailure, { batch, head, clientId }: OutgoingPush): SyncError {
    const { check, batcher } = this.#options;
    batcher.onPushFailed(failure, batch);
    const agreedSeq = head.carried ? noAgreedSeq : (head.offered_seq ?? noAgreedSeq);
    const fallbackConflict: SequenceConflict = { client_id: head.client_id, agreedSeq };
    return new SyncError(
      check.failureOfPush(busyFailureIfBatchIsSmall(failure, batch), { clientId, fallbackConflict }),
    );
  }

  #entriesToPush(): SendableEntry[] {
    return entriesToPush(this.#options.view.unsettled, this.#serverProgress);
  }

  get #serverProgress() {
    return { clientId: this.#options.outbox.device.client_id, serverSeq: this.#serverSeq };
  }
}
