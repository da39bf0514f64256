/** One batch of the outbox to the server, in order. */
import type { PushRequest, PushResponse } from '../../shared/protocol/push.ts';
import { problemOf, type Problem } from '../../shared/protocol/problem.ts';
import type { PullResponse } from '../../shared/protocol/pull.ts';
import type { SequenceConflict } from '../outbox/numbering.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { MutationBody } from '../store/rows.ts';
import type { View } from '../view/view.ts';
import { accountOf } from './account.ts';
import { batchOf, wireOf } from './batch.ts';
import { isContentSuspect, SyncFailure, tellsOfSomeoneElse, type Failure } from './failure.ts';
import { refusedAltogether, refusedOnTheWay, triedAlone } from './refused-on-the-way.ts';
import { answersTo } from './carried-answers.ts';
import { answersOfSomeoneElse } from './someone-elses.ts';
import { uploadMs, type Transport } from './transport.ts';
import { conflictIn, conflictSaid } from './vouch.ts';

/** Halved each time that it is too much; the slowest line takes less than a minute for it, which no clock is blamed for. */
const batchBytesMax = 896 * 1024;
/** How often a mutation fails alone before its content is withdrawn. */
const triesAloneMin = 3;
/** So many in a row, and none that passes between them: it is not their content. The next one waits. */
const withdrawnMax = 3;
/** Whoever finds less too large will come to its senses: the content is not given up for that. */
const oversizedBytesMin = 64 * 1024;

interface PusherOptions {
  outbox: Outbox;
  view: View;
  transport: Transport;
  now: () => string;
  /** A push begins that may take so long to be sent. */
  onSend: (ms: number) => void;
}

export class Pusher {
  readonly #outbox: Outbox;
  readonly #view: View;
  readonly #transport: Transport;
  readonly #now: () => string;
  readonly #onSend: (ms: number) => void;
  #bytesMax = batchBytesMax;
  #lastBatch: MutationBody[] = [];
  #lastBytes = 0;
  /** How far the server said that it is; it counts only for what to push next, until the pull proves it. */
  #taken = { clientId: '', seq: 0 };

  #triesAlone = 0;
  /** Mutations that were withdrawn since the last content passed. */
  #withdrawn = 0;
  #hasLooked = false;
  /** Whose numbers the exchange under way is about. */
  #clientId = '';
  /** What was offered before it. */
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
    await this.#look(account_id, signal);
    // What came between may have made the first one another.
    const [first] = this.#waiting();
    if (first?.state === 'carried') await this.#pushCarried(account_id, first.client_id, signal);
    else if (first) await this.#pushOwn(account_id, first, signal);
    this.#bytesMax = Math.min(batchBytesMax, this.#bytesMax * 2);
    return { more: this.#waiting().length > 0 };
  }

  async #pushOwn(account_id: string, first: MutationBody, signal: AbortSignal): Promise<void> {
    const { client_id } = first;
    this.#offeredSeq = this.#outbox.device.offered_seq ?? 0;
    this.#takeBatch();
    const chain = await this.#outbox.sequence.chainAt(first.seq - 1);
    await this.#outbox.identity.rememberOffered(client_id, this.#lastBatch.at(-1)!.seq);
    const head = { client_id, account_id, acked_seq: this.#view.settledSeq, offered_seq: this.#offeredSeq };
    const { last_seq, results } = await this.#send({ ...head, ...(chain === undefined ? {} : { chain }) }, signal);
    // Without a chain to prove it by the pull: somebody else acknowledged the answer, a copy of this device.
    const answered = new Set(results.map(({ seq }) => seq));
    const forgotten = chain === undefined && this.#lastBatch.find(({ seq }) => !answered.has(seq));
    if (forgotten) throw this.#conflicting({ client_id, agreedSeq: forgotten.seq - 1 });
    this.#taken = { clientId: client_id, seq: last_seq };
    this.#hasLooked = true;
  }

  /**
   * What was made under another client id goes in its sequence, before what was made since: the server takes each number
   * once, whoever brings it. Nothing is acknowledged, so that whoever comes next has the same answers.
   */
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

  /** Which numbers stand for other work on the server, as it said last. */
  get conflict(): SequenceConflict {
    const unsaid = { client_id: this.#clientId, agreedSeq: this.#offeredSeq };
    return this.#conflict ?? (this.#keepsChain ? { ...unsaid, compared: { otherSeqs: [], isApart: false } } : unsaid);
  }

  /**
   * A pull has told how far the server is: what it was said to have taken, and has not, is to be pushed again. Throws when
   * it has more than was ever offered.
   */
  proven(): void {
    this.#taken = { clientId: '', seq: 0 };
    this.#expectKnown();
    this.#hasLooked = true;
  }

  /** Throws when what the pull tells of this device's numbers is not of its own work. */
  async vouch(page: PullResponse): Promise<void> {
    const conflict = await conflictIn(page, this.#outbox);
    if (conflict) throw this.#conflicting(conflict);
  }

  /** The account that the device belongs to took none of these numbers. */
  disowned(client_id: string): SyncFailure {
    return this.#conflicting({ client_id, agreedSeq: 0 });
  }

  /** Less goes at once when the server found the last batch too large, or the line was too slow for it. */
  async splitBatch(): Promise<void> {
    if (this.#lastBatch.length === 1) await this.#outbox.sequence.withdraw(this.#lastBatch[0]!, tooLarge);
    else this.#halve();
  }

  /**
   * The last batch failed again and again, with an answer that its content may have brought about. When a push without
   * content passes, what is sent is halved until the mutation that fails is alone, and that one's content is withdrawn.
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

  /** A server that does holds what is carried against what it has. */
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
   * Once in a life, before anything is offered: whether the server is further than this database knows that it ever was.
   * What comes to nothing here proves nothing, and has offered nothing either.
   */
  async #look(account_id: string, signal: AbortSignal): Promise<void> {
    this.#expectKnown();
    const neverSynced = this.#view.base.cursor === undefined;
    if (this.#hasLooked || neverSynced) return;
    await this.#pushNothing(account_id, signal);
    this.#hasLooked = true;
  }

  async #probe(signal: AbortSignal): Promise<void> {
    await this.#pushNothing(await accountOf({ outbox: this.#outbox, transport: this.#transport }, signal), signal);
  }

  async #pushNothing(account_id: string, signal: AbortSignal): Promise<void> {
    const { client_id, offered_seq = 0 } = this.#outbox.device;
    const head = { client_id, account_id, acked_seq: this.#view.settledSeq, offered_seq };
    await this.#transport.push({ ...head, mutations: [] }, signal);
  }

  /** A server with a chain vouched for its numbers before they were stored. */
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

  /** The clock is read at the last moment: the server holds it against its own. Another device's work has another clock. */
  async #send(head: Omit<PushRequest, 'mutations'>, signal: AbortSignal): Promise<PushResponse> {
    const mutations = await Promise.all(this.#lastBatch.map(wireOf));
    const isForeign = this.#lastBatch.some(({ is_foreign }) => is_foreign);
    this.#onSend(uploadMs(this.#lastBytes, this.#lastBatch.length === 1));
    const sent = { ...head, ...(isForeign ? {} : { sent_at: this.#now() }), mutations };
    try {
      const response = await this.#transport.push(sent, signal);
      if (!this.#lastBatch.every(({ withdrawn }) => withdrawn)) [this.#withdrawn, this.#triesAlone] = [0, 0];
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
        this.#conflict = conflictSaid(failure.problem, { unsaid, sent: this.#lastBatch, keepsChain: this.#keepsChain });
      }
      throw error;
    }
  }

  #waiting(): MutationBody[] {
    const { client_id } = this.#outbox.device;
    const taken = this.#taken.clientId === client_id ? this.#taken.seq : 0;
    return this.#view.pending.filter((body) =>
      body.state === 'carried' ? body.answer === undefined : body.seq > taken,
    );
  }

  #takeBatch(): void {
    const { bodies, bytes } = batchOf(this.#waiting(), this.#bytesMax);
    this.#lastBatch = bodies;
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

/** 408 is the server's word for it. */
const isSlow = (failure: Failure): boolean =>
  failure.kind === 'unreachable'
    ? failure.timedOut === true
    : failure.kind === 'busy' && failure.problem.status === 408;
