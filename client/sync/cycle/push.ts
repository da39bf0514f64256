/** Pushes the outbox's mutations to the server in order, in batches. */
import type { PushRequest, PushResponse } from '../../../shared/protocol/push.ts';
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import type { PendingEntry, SendableEntry } from '../../outbox/model/entry.ts';
import type { SequenceConflict } from '../../outbox/model/sequence/numbering.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { View } from '../../view/view.ts';
import { uploadMs } from '../net/timeouts.ts';
import type { Transport } from '../net/transport.ts';
import { accountOf } from './account.ts';
import {
  batchBytesMax,
  doubled,
  emptyBatch,
  failureOfBatch,
  halved,
  isAlone,
  isTooSlow,
  nextBatch,
  waitingOf,
  wireOf,
  type Batch,
  type Taken,
} from './batch.ts';
import { isContentSuspect, SyncFailure, isOfSomeoneElsesClient, type Failure } from './failure.ts';
import { answersOfSomeoneElse, answersTo } from './forwarded-answers.ts';
import { refusedAltogether, refusedOnTheWay, tooLarge, failureOfMutationAlone } from './refused-on-the-way.ts';
import { afterFailingAlone, noSuspicion, type Suspicion } from './suspicion.ts';
import { conflictIn, conflictOfRefusal, assumedConflict, sequenceReused } from './verify-chain.ts';

interface PusherOptions {
  outbox: Outbox;
  view: View;
  transport: Transport;
  now: () => string;
  /** Called before each push, with the time that its upload may take. */
  onSend: (ms: number) => void;
}

/** The push under way, or the last push. */
interface Exchange {
  /** The device's client id at the time of the push. */
  clientId: string;
  /** The sent number before the push: the highest number that the device had sent. */
  offeredSeq: number;
  /** The conflict between the device's work and the server's that the push or the pull after it found. */
  conflict?: SequenceConflict;
}

export class Pusher {
  readonly #options: PusherOptions;
  #exchange: Exchange = { clientId: '', offeredSeq: 0 };
  #batch: Batch = emptyBatch;
  #bytesMax = batchBytesMax;
  #taken: Taken | undefined;
  #suspicion: Suspicion = noSuspicion;
  #hasProbed = false;

  constructor(options: PusherOptions) {
    this.#options = options;
  }

  /** Pushes one batch, and resolves to whether more is left to push. */
  async push(signal: AbortSignal): Promise<{ more: boolean }> {
    const { outbox, view } = this.#options;
    await outbox.catchUp(() => view.settledSeq);
    this.#exchange = { ...this.#exchange, clientId: outbox.device.client_id };
    if (this.#waiting().length === 0) return { more: false };
    const account_id = await accountOf(this.#options, signal);
    await this.#probeOnce(account_id, signal);
    // The outbox may have changed during these requests, so the first waiting entry is read again.
    const [first] = this.#waiting();
    if (first?.state === 'forwarded') await this.#pushForwarded(account_id, first.client_id, signal);
    else if (first) await this.#pushOwn(account_id, first, signal);
    this.#bytesMax = doubled(this.#bytesMax);
    return { more: this.#waiting().length > 0 };
  }

  async #pushOwn(account_id: string, { client_id, seq }: PendingEntry, signal: AbortSignal): Promise<void> {
    const { outbox, view } = this.#options;
    const offered_seq = outbox.device.offered_seq ?? 0;
    this.#exchange = { ...this.#exchange, offeredSeq: offered_seq };
    const batch = this.#takeBatch();
    const chain = await outbox.sequence.chainAt(seq - 1);
    await outbox.identity.rememberSentNumber(client_id, batch.entries.at(-1)?.seq ?? seq);
    const head = { client_id, account_id, acked_seq: view.settledSeq, offered_seq };
    const { last_seq, results } = await this.#send({ ...head, ...(chain === undefined ? {} : { chain }) }, signal);
    // A missing answer was acknowledged by a copy of this device. With a hash chain, a pull detects this; without, only here.
    const answered = new Set(results.map((answer) => answer.seq));
    const forgotten = chain === undefined && batch.entries.find((entry) => !answered.has(entry.seq));
    if (forgotten) throw this.#conflicting({ client_id, agreedSeq: forgotten.seq - 1 });
    this.#taken = { clientId: client_id, seq: last_seq };
    this.#hasProbed = true;
  }

  /** Acknowledges no answers, so that another device that forwards the same work gets the same answers. */
  async #pushForwarded(account_id: string, client_id: string, signal: AbortSignal): Promise<void> {
    const { outbox, view } = this.#options;
    const { entries } = this.#takeBatch();
    const answers = await this.#send({ client_id, account_id, carried: true, acked_seq: 0 }, signal).then(
      ({ results }) => answersTo(entries, results),
      (error: unknown) => {
        if (isOfSomeoneElsesClient(error)) return answersOfSomeoneElse(this.#waiting(), client_id);
        throw error;
      },
    );
    await outbox.sequence.rememberAnswers(answers, view.base.cursor?.cursor ?? '');
  }

  get clientId(): string {
    return this.#exchange.clientId;
  }

  /** The conflict that the last push or pull found. */
  get conflict(): SequenceConflict {
    const { clientId, offeredSeq, conflict } = this.#exchange;
    return conflict ?? assumedConflict({ client_id: clientId, agreedSeq: offeredSeq }, this.#keepsChain);
  }

  /**
   * Forgets what the push answers reported as taken, since the pull has shown what the server has. Throws if the server has
   * higher numbers than this device sent.
   */
  onPulled(): void {
    this.#taken = undefined;
    this.#expectKnown();
    this.#hasProbed = true;
  }

  /** Throws if the page shows that the server has other work under this device's numbers. */
  async verifyPage(page: PullResponse): Promise<void> {
    const conflict = await conflictIn(page, this.#options.outbox);
    if (conflict) throw this.#conflicting(conflict);
  }

  /** The failure to throw if the client id belongs to another account: the device and the server then share no work. */
  failureOfForeignClient(client_id: string): SyncFailure {
    return this.#conflicting({ client_id, agreedSeq: 0 });
  }

  /** Halves the size limit after a batch was too large; withdraws a single mutation that was too large. */
  async splitBatch(): Promise<void> {
    const [entry] = this.#batch.entries;
    if (entry && isAlone(this.#batch)) await this.#options.outbox.sequence.withdraw(entry, tooLarge);
    else this.#halve();
  }

  /**
   * Finds the mutation whose content makes pushes fail. If an empty push succeeds, each call halves the batch until that
   * mutation fails in a batch of its own; after several such failures, the mutation is withdrawn.
   */
  async isolate(failure: Failure, signal: AbortSignal): Promise<void> {
    try {
      await this.#pushNothing(await accountOf(this.#options, signal), signal);
    } catch (error) {
      if (error instanceof SyncFailure && isContentSuspect(error.failure)) throw refusedAltogether(error.failure);
      throw error;
    }
    const [entry, ...others] = this.#batch.entries;
    if (others.length > 0) return this.#halve();
    const { suspicion, isWithdrawn } = afterFailingAlone(this.#suspicion);
    this.#suspicion = suspicion;
    if (!entry || !isWithdrawn) throw failureOfMutationAlone(failure);
    await this.#options.outbox.sequence.withdraw(entry, refusedOnTheWay(failure));
  }

  /** How many mutations the server has not yet reported as taken. */
  get left(): number {
    return this.#waiting().length;
  }

  /** Whether the server keeps a hash chain, and so can compare forwarded work with its own. */
  get #keepsChain(): boolean {
    return this.#options.view.client?.chain !== undefined;
  }

  /**
   * Pushes an empty batch once, before any mutation, so that the server can report numbers that this database never sent.
   * If that push fails, no mutation is sent, and the next round asks again.
   */
  async #probeOnce(account_id: string, signal: AbortSignal): Promise<void> {
    this.#expectKnown();
    const neverSynced = this.#options.view.base.cursor === undefined;
    if (this.#hasProbed || neverSynced) return;
    await this.#pushNothing(account_id, signal);
    this.#hasProbed = true;
  }

  async #pushNothing(account_id: string, signal: AbortSignal): Promise<void> {
    const { outbox, view, transport } = this.#options;
    const { client_id, offered_seq = 0 } = outbox.device;
    await transport.push({ client_id, account_id, acked_seq: view.settledSeq, offered_seq, mutations: [] }, signal);
  }

  /** Throws if the server has higher numbers than were sent; with a hash chain, `verifyPage` has already checked that. */
  #expectKnown(): void {
    const { outbox, view } = this.#options;
    const { client_id, offered_seq = 0, proven_seq } = outbox.device;
    this.#exchange = { clientId: client_id, offeredSeq: offered_seq };
    const { client } = view;
    const isVerified = client?.chain !== undefined && proven_seq !== undefined;
    const isFurther = !isVerified && (client?.last_seq ?? 0) > offered_seq;
    if (isFurther) throw this.#conflicting({ client_id, agreedSeq: offered_seq });
  }

  #conflicting(conflict: SequenceConflict): SyncFailure {
    this.#exchange = { ...this.#exchange, conflict };
    return new SyncFailure({ kind: 'reused', problem: sequenceReused });
  }

  /**
   * Sends the device's time, read just before the push, so that the server can correct a recording's times. The time is
   * left out for work that another device's clock dated.
   */
  async #send(head: Omit<PushRequest, 'mutations'>, signal: AbortSignal): Promise<PushResponse> {
    const { transport, now, onSend } = this.#options;
    const batch = this.#batch;
    const mutations = await Promise.all(batch.entries.map(wireOf));
    const isForeign = batch.entries.some(({ is_foreign }) => is_foreign);
    onSend(uploadMs(batch.bytes, isAlone(batch)));
    try {
      const response = await transport.push({ ...head, ...(isForeign ? {} : { sent_at: now() }), mutations }, signal);
      if (batch.entries.some(({ payload }) => payload.kind === 'mutation')) this.#suspicion = noSuspicion;
      return response;
    } catch (error) {
      throw error instanceof SyncFailure ? this.#failed(error.failure, head) : error;
    }
  }

  /** Takes from a failed push how much to send next, and up to which number both sides have the same work. */
  #failed(failure: Failure, { client_id, carried = false }: Pick<PushRequest, 'client_id' | 'carried'>): SyncFailure {
    if (isTooSlow(failure) && !isAlone(this.#batch)) this.#halve();
    if (failure.kind === 'reused') {
      const assumed = { client_id, agreedSeq: carried ? 0 : this.#exchange.offeredSeq };
      const conflict = conflictOfRefusal(failure.problem, { assumed, keepsChain: this.#keepsChain });
      this.#exchange = { ...this.#exchange, conflict };
    }
    return new SyncFailure(failureOfBatch(failure, this.#batch));
  }

  #waiting(): SendableEntry[] {
    const { outbox, view } = this.#options;
    return waitingOf(view.unsettled, { clientId: outbox.device.client_id, taken: this.#taken });
  }

  #takeBatch(): Batch {
    this.#batch = nextBatch(this.#waiting(), this.#bytesMax);
    return this.#batch;
  }

  #halve(): void {
    this.#bytesMax = halved(this.#bytesMax, this.#batch);
  }
}
