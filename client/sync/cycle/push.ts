/** One batch of the outbox to the server, in order. */
import type { PushRequest, PushResponse } from '../../../shared/protocol/push.ts';
import { problemOf, type Problem } from '../../../shared/protocol/problem.ts';
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import type { SequenceConflict } from '../../outbox/model/sequence/numbering.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { SendableEntry } from '../../outbox/model/entry.ts';
import type { View } from '../../view/view.ts';
import { accountOf } from './account.ts';
import { batchOf, wireOf } from './batch.ts';
import { isContentSuspect, SyncFailure, tellsOfSomeoneElse, type Failure } from './failure.ts';
import { refusedAltogether, refusedOnTheWay, triedAlone } from './refused-on-the-way.ts';
import { answersOfSomeoneElse, answersTo } from './forwarded-answers.ts';
import { uploadMs, type Transport } from '../net/transport.ts';
import { conflictIn, conflictSaid } from './verify-chain.ts';

/** Halved when it is too much. The slowest line takes less than a minute for it, within the skew that clocks are allowed. */
const batchBytesMax = 896 * 1024;
/** A mutation fails alone so often before its content is withdrawn. */
const triesAloneMin = 3;
/** When so many in a row were withdrawn and none passed, the content is not the cause: the next one waits. */
const withdrawnMax = 3;
/** A smaller mutation is never too large: a server or proxy that says so counts as busy. */
const oversizedBytesMin = 64 * 1024;

interface PusherOptions {
  outbox: Outbox;
  view: View;
  transport: Transport;
  now: () => string;
  /** Called before each push, with the time that sending it may take. */
  onSend: (ms: number) => void;
}

export class Pusher {
  readonly #outbox: Outbox;
  readonly #view: View;
  readonly #transport: Transport;
  readonly #now: () => string;
  readonly #onSend: (ms: number) => void;
  #bytesMax = batchBytesMax;
  #lastBatch: SendableEntry[] = [];
  #lastBytes = 0;
  /** The last number that the server said it has. It only tells what to push next, until a pull proves it. */
  #taken = { clientId: '', seq: 0 };

  #triesAlone = 0;
  /** Mutations withdrawn since content last passed. */
  #withdrawn = 0;
  #hasProbed = false;
  /** The device's client id in the exchange under way. */
  #clientId = '';
  /** The highest number that was offered before that exchange. */
  #offeredSeq = 0;
  #conflict: SequenceConflict | undefined;

  constructor({ outbox, view, transport, now, onSend }: PusherOptions) {
    this.#outbox = outbox;
    this.#view = view;
    this.#transport = transport;
    this.#now = now;
    this.#onSend = onSend;
  }

  /** Answers whether more is left to push. */
  async push(signal: AbortSignal): Promise<{ more: boolean }> {
    await this.#outbox.catchUp(() => this.#view.settledSeq);
    this.#clientId = this.#outbox.device.client_id;
    if (this.#waiting().length === 0) return { more: false };
    const account_id = await accountOf({ outbox: this.#outbox, transport: this.#transport }, signal);
    await this.#probeOnce(account_id, signal);
    // The outbox may have changed meanwhile.
    const [first] = this.#waiting();
    if (first?.state === 'forwarded') await this.#pushCarried(account_id, first.client_id, signal);
    else if (first) await this.#pushOwn(account_id, first, signal);
    this.#bytesMax = Math.min(batchBytesMax, this.#bytesMax * 2);
    return { more: this.#waiting().length > 0 };
  }

  async #pushOwn(account_id: string, first: SendableEntry, signal: AbortSignal): Promise<void> {
    const { client_id } = first;
    this.#offeredSeq = this.#outbox.device.offered_seq ?? 0;
    this.#takeBatch();
    const chain = await this.#outbox.sequence.chainAt(first.seq - 1);
    await this.#outbox.identity.rememberOffered(client_id, this.#lastBatch.at(-1)!.seq);
    const head = { client_id, account_id, acked_seq: this.#view.settledSeq, offered_seq: this.#offeredSeq };
    const { last_seq, results } = await this.#send({ ...head, ...(chain === undefined ? {} : { chain }) }, signal);
    // Without a chain the pull cannot show that a copy of this device acknowledged these answers.
    const answered = new Set(results.map(({ seq }) => seq));
    const forgotten = chain === undefined && this.#lastBatch.find(({ seq }) => !answered.has(seq));
    if (forgotten) throw this.#conflicting({ client_id, agreedSeq: forgotten.seq - 1 });
    this.#taken = { clientId: client_id, seq: last_seq };
    this.#hasProbed = true;
  }

  /** Acknowledges nothing, so that the next device that carries the same work gets the same answers. */
  async #pushCarried(account_id: string, client_id: string, signal: AbortSignal): Promise<void> {
    this.#takeBatch();
    const results = await this.#send({ client_id, account_id, carried: true, acked_seq: 0 }, signal).then(
      (response) => response.results,
      (error: unknown) => {
        if (tellsOfSomeoneElse(error)) return null;
        throw error;
      },
    );
    const cursor = this.#view.base.cursor?.cursor ?? '';
    const answers = results ? answersTo(this.#lastBatch, results) : answersOfSomeoneElse(this.#waiting(), client_id);
    await this.#outbox.sequence.rememberAnswers(answers, cursor);
  }

  get clientId(): string {
    return this.#clientId;
  }

  /** The conflict that the last exchange met. */
  get conflict(): SequenceConflict {
    const unsaid = { client_id: this.#clientId, agreedSeq: this.#offeredSeq };
    return (
      this.#conflict ?? (this.#keepsChain ? { ...unsaid, compared: { otherSeqs: [], hasDiverged: false } } : unsaid)
    );
  }

  /**
   * Ends the trust in what pushes were answered, now that a pull has shown how far the server is. Throws when the server
   * has more than was ever offered.
   */
  proven(): void {
    this.#taken = { clientId: '', seq: 0 };
    this.#expectKnown();
    this.#hasProbed = true;
  }

  /** Throws when the server has other work under this device's numbers. */
  async vouch(page: PullResponse): Promise<void> {
    const conflict = await conflictIn(page, this.#outbox);
    if (conflict) throw this.#conflicting(conflict);
  }

  /** The failure to throw when the client id belongs to another account, which leaves no number agreed. */
  disowned(client_id: string): SyncFailure {
    return this.#conflicting({ client_id, agreedSeq: 0 });
  }

  /** Halves the batch that was too large; a mutation that is too large alone is withdrawn. */
  async splitBatch(): Promise<void> {
    if (this.#lastBatch.length === 1) await this.#outbox.sequence.withdraw(this.#lastBatch[0]!, tooLarge);
    else this.#halve();
  }

  /**
   * Looks for the mutation whose content makes pushes fail: if an empty push passes, halves the batch until that mutation
   * fails alone, and withdraws its content.
   */
  async isolate(failure: Failure, signal: AbortSignal): Promise<void> {
    try {
      await this.#probe(signal);
    } catch (error) {
      if (error instanceof SyncFailure && isContentSuspect(error.failure)) throw refusedAltogether(error.failure);
      throw error;
    }
    const [body, ...others] = this.#lastBatch;
    if (others.length > 0) return this.#halve();
    this.#triesAlone += 1;
    if (!body || this.#triesAlone < triesAloneMin || this.#withdrawn >= withdrawnMax) throw triedAlone(failure);
    this.#triesAlone = 0;
    this.#withdrawn += 1;
    await this.#outbox.sequence.withdraw(body, refusedOnTheWay(failure));
  }

  /** A server with a chain compares carried work with its own. */
  get #keepsChain(): boolean {
    return this.#view.client?.chain !== undefined;
  }

  /** Mutations that the server has not yet said to have taken. */
  get left(): number {
    return this.#waiting().length;
  }

  #halve(): void {
    this.#bytesMax = Math.max(1, Math.min(this.#bytesMax, this.#lastBytes) / 2);
  }

  /**
   * Asks once, before anything is offered, whether the server has more than this database ever sent. A failure here leaves
   * the question open, and nothing offered.
   */
  async #probeOnce(account_id: string, signal: AbortSignal): Promise<void> {
    this.#expectKnown();
    const neverSynced = this.#view.base.cursor === undefined;
    if (this.#hasProbed || neverSynced) return;
    await this.#pushNothing(account_id, signal);
    this.#hasProbed = true;
  }

  async #probe(signal: AbortSignal): Promise<void> {
    await this.#pushNothing(await accountOf({ outbox: this.#outbox, transport: this.#transport }, signal), signal);
  }

  async #pushNothing(account_id: string, signal: AbortSignal): Promise<void> {
    const { client_id, offered_seq = 0 } = this.#outbox.device;
    const head = { client_id, account_id, acked_seq: this.#view.settledSeq, offered_seq };
    await this.#transport.push({ ...head, mutations: [] }, signal);
  }

  /** Throws when the server has more than was offered; with a chain, `vouch` has checked that already. */
  #expectKnown(): void {
    const { client_id, offered_seq = 0 } = this.#outbox.device;
    this.#clientId = client_id;
    this.#offeredSeq = offered_seq;
    this.#conflict = undefined;
    const { client } = this.#view;
    const isVouched = client?.chain !== undefined && this.#outbox.device.proven_seq !== undefined;
    const isFurther = !isVouched && (client?.last_seq ?? 0) > offered_seq;
    if (isFurther) throw this.#conflicting({ client_id, agreedSeq: offered_seq });
  }

  #conflicting(conflict: SequenceConflict): SyncFailure {
    this.#conflict = conflict;
    return new SyncFailure({ kind: 'reused', problem: reused });
  }

  /** Reads the clock at the last moment, since the server compares it with its own; not for work timed by another device's. */
  async #send(head: Omit<PushRequest, 'mutations'>, signal: AbortSignal): Promise<PushResponse> {
    const mutations = await Promise.all(this.#lastBatch.map(wireOf));
    const isForeign = this.#lastBatch.some(({ is_foreign }) => is_foreign);
    this.#onSend(uploadMs(this.#lastBytes, this.#lastBatch.length === 1));
    const sent = { ...head, ...(isForeign ? {} : { sent_at: this.#now() }), mutations };
    try {
      const response = await this.#transport.push(sent, signal);
      if (this.#lastBatch.some(({ payload }) => payload.kind === 'mutation'))
        [this.#withdrawn, this.#triesAlone] = [0, 0];
      return response;
    } catch (error) {
      if (!(error instanceof SyncFailure)) throw error;
      const { failure } = error;
      const isAlone = this.#lastBatch.length === 1;
      if (isSlow(failure) && !isAlone) this.#halve();
      if (failure.kind === 'too_large' && isAlone && this.#lastBytes < oversizedBytesMin) {
        throw new SyncFailure({ ...failure, kind: 'busy', retryAfterMs: null });
      }
      if (failure.kind === 'reused') {
        const { client_id, carried } = head;
        const unsaid = { client_id, agreedSeq: carried ? 0 : this.#offeredSeq };
        this.#conflict = conflictSaid(failure.problem, { unsaid, keepsChain: this.#keepsChain });
      }
      throw error;
    }
  }

  #waiting(): SendableEntry[] {
    const { client_id } = this.#outbox.device;
    const taken = this.#taken.clientId === client_id ? this.#taken.seq : 0;
    return this.#view.pending.filter((body) =>
      body.state === 'forwarded' ? body.answer === undefined : body.seq > taken,
    );
  }

  #takeBatch(): void {
    const { entries, bytes } = batchOf(this.#waiting(), this.#bytesMax);
    this.#lastBatch = entries;
    this.#lastBytes = bytes;
  }
}

const reused: Problem = problemOf({
  code: 'sequence_reused',
  detail: 'The server has other work under numbers of this device. What is kept here is numbered anew.',
});

const tooLarge: Problem = problemOf({
  code: 'payload_too_large',
  detail: 'It is larger than the server, or something on the way to it, takes.',
});

/** A 408 says that the line was too slow for the server. */
const isSlow = (failure: Failure): boolean =>
  failure.kind === 'unreachable'
    ? failure.timedOut === true
    : failure.kind === 'busy' && failure.problem.status === 408;
