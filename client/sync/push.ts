/** One batch of the outbox to the server, in order. */
import type { MutationAnswer, PushedMutation, PushRequest, PushResponse } from '../../shared/protocol/push.ts';
import { problemOf, type Problem } from '../../shared/protocol/problem.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Answer } from '../outbox/settlement.ts';
import type { MutationBody } from '../store/rows.ts';
import type { View } from '../view/view.ts';
import { SyncFailure, type Failure } from './failure.ts';
import { uploadMs, type Transport } from './transport.ts';
import { accountOf } from './account.ts';

const mutationsPerBatchMax = 100;
/** Halved each time that it is too much; the slowest line takes less than a minute for it, which no clock is blamed for. */
const batchBytesMax = 896 * 1024;
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
  /** Too large even alone: its number goes without its content and comes back refused, for another reason than the true one. */
  readonly #oversized = new WeakSet<MutationBody>();
  /** How far the server said that it is; it counts only for what to push next, until the pull proves it. */
  #taken = { clientId: '', seq: 0 };

  #hasLooked = false;
  /** Whose numbers the exchange under way is about. */
  #clientId = '';
  /** What was offered before it: numbers up to here mean the same on the server. */
  #offeredSeq = 0;

  readonly #answers = new WeakMap<MutationBody, Answer>();

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
    else if (first) await this.#pushOwn(account_id, first.client_id, signal);
    this.#bytesMax = Math.min(batchBytesMax, this.#bytesMax * 2);
    return { more: this.#waiting().length > 0 };
  }

  async #pushOwn(account_id: string, client_id: string, signal: AbortSignal): Promise<void> {
    this.#offeredSeq = this.#outbox.device.offered_seq ?? 0;
    this.#lastBatch = this.#batchOf(client_id);
    await this.#outbox.identity.rememberOffered(client_id, this.#lastBatch.at(-1)!.seq);
    const head = { client_id, account_id, acked_seq: this.#view.settledSeq, offered_seq: this.#offeredSeq };
    const { last_seq, results } = await this.#send(head, signal);
    // The answer to other work than this, which a copy of this device did under the number.
    const isOther = (it: MutationAnswer) => this.#lastBatch.some((body) => body.seq === it.seq && isOfOther(body, it));
    if (results.some(isOther)) throw new SyncFailure({ kind: 'reused', problem: reused });
    this.#taken = { clientId: client_id, seq: last_seq };
    this.#hasLooked = true;
  }

  /**
   * What was made under another client id goes in its sequence, before what was made since: the server takes each number
   * once, whoever brings it. Nothing is acknowledged, so that whoever comes next has the same answers.
   */
  async #pushCarried(account_id: string, client_id: string, signal: AbortSignal): Promise<void> {
    this.#lastBatch = this.#batchOf(client_id);
    const { results } = await this.#send({ client_id, account_id, carried: true, acked_seq: 0 }, signal);
    const answers = new Map(results.map((it) => [it.seq, it.status === 'rejected' ? it.error : ('done' as const)]));
    for (const body of this.#lastBatch) this.#answers.set(body, answers.get(body.seq) ?? 'forgotten');
  }

  /** What a carried mutation was answered; undefined before. */
  answerTo(body: MutationBody): Answer | undefined {
    return this.#answers.get(body);
  }

  /** Why it was truly refused, where the server cannot tell. */
  trueErrorOf(body: MutationBody): Problem | undefined {
    return this.#oversized.has(body) ? tooLarge : undefined;
  }

  get clientId(): string {
    return this.#clientId;
  }

  get offered(): { client_id: string; sentSeq: number } {
    return { client_id: this.#clientId, sentSeq: this.#offeredSeq };
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

  /** Less goes at once when the server found the last batch too large, or the line was too slow for it. */
  splitBatch(): void {
    if (this.#lastBatch.length === 1) this.#oversized.add(this.#lastBatch[0]!);
    else this.#bytesMax = Math.max(1, Math.min(this.#bytesMax, this.#lastBytes) / 2);
  }

  /** Mutations that the server has not yet said to have taken. */
  get left(): number {
    return this.#waiting().length;
  }

  /**
   * Once in a life, before anything is offered: whether the server is further than this database knows that it ever was.
   * What comes to nothing here proves nothing, and has offered nothing either.
   */
  async #look(account_id: string, signal: AbortSignal): Promise<void> {
    this.#expectKnown();
    const neverSynced = this.#view.base.cursor === undefined;
    if (this.#hasLooked || neverSynced) return;
    const { client_id } = this.#outbox.device;
    const head = { client_id, account_id, acked_seq: this.#view.settledSeq, offered_seq: this.#offeredSeq };
    await this.#transport.push({ ...head, mutations: [] }, signal);
    this.#hasLooked = true;
  }

  #expectKnown(): void {
    const { client_id, offered_seq = 0 } = this.#outbox.device;
    this.#clientId = client_id;
    this.#offeredSeq = offered_seq;
    const isFurther = (this.#view.client?.last_seq ?? 0) > this.#offeredSeq;
    if (isFurther) throw new SyncFailure({ kind: 'reused', problem: reused });
  }

  /** The clock is read at the last moment: the server holds it against its own. */
  async #send(head: Omit<PushRequest, 'mutations'>, signal: AbortSignal): Promise<PushResponse> {
    const mutations = this.#lastBatch.map((body) => this.#wire(body));
    this.#onSend(uploadMs(this.#lastBytes, this.#lastBatch.length === 1));
    try {
      return await this.#transport.push({ ...head, sent_at: this.#now(), mutations }, signal);
    } catch (error) {
      if (!(error instanceof SyncFailure)) throw error;
      const { failure } = error;
      const isAlone = this.#lastBatch.length === 1;
      if (isSlow(failure) && !isAlone) this.splitBatch();
      if (failure.kind === 'too_large' && isAlone && this.#lastBytes < oversizedBytesMin) {
        throw new SyncFailure({ ...failure, kind: 'busy', retryAfterMs: null });
      }
      throw error;
    }
  }

  #waiting(): MutationBody[] {
    const { client_id } = this.#outbox.device;
    const taken = this.#taken.clientId === client_id ? this.#taken.seq : 0;
    return this.#view.pending.filter((body) =>
      body.state === 'carried' ? this.#answers.get(body) === undefined : body.seq > taken,
    );
  }

  /** The first of what waits under one client id. */
  #batchOf(client_id: string): MutationBody[] {
    const batch: MutationBody[] = [];
    this.#lastBytes = 0;
    for (const body of this.#waiting().slice(0, mutationsPerBatchMax)) {
      if (body.client_id !== client_id) break;
      const bytes = utf8.encode(JSON.stringify(this.#wire(body))).length;
      if (batch.length > 0 && this.#lastBytes + bytes > this.#bytesMax) break;
      this.#lastBytes += bytes;
      batch.push(body);
    }
    return batch;
  }

  #wire(body: MutationBody): PushedMutation {
    const { seq, name, version, args, recorded_at } = body;
    const sent = this.#oversized.has(body) ? {} : args;
    return { seq, name, args: sent, recorded_at, ...(version === undefined ? {} : { version }) };
  }
}

/** What a mutation makes has ids that no other has; the rest cannot be told apart. */
function isOfOther({ name, args }: MutationBody, answer: MutationAnswer): boolean {
  if (answer.status !== 'applied' || !answer.result) return false;
  const { id, recording_session_id } = answer.result;
  const differs = (told: unknown, made: unknown) => told !== undefined && made !== undefined && told !== made;
  if (differs(recording_session_id, args['recording_session_id'])) return true;
  if (name === 'create_map') return differs(id, args['map_id']);
  return name === 'add_stage' && differs(id, args['stage_id']);
}

const reused: Problem = problemOf({
  code: 'sequence_reused',
  detail: 'The server has work of this device that the device does not remember. What is kept here is numbered anew.',
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

const utf8 = new TextEncoder();
