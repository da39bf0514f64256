/** One batch of the outbox to the server, in order. */
import type { PushedMutation, PushRequest, PushResponse } from '../../shared/protocol/push.ts';
import { problemOf, type Problem } from '../../shared/protocol/problem.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Answer } from '../outbox/settlement.ts';
import type { MutationBody } from '../store/rows.ts';
import type { View } from '../view/view.ts';
import { SyncFailure } from './failure.ts';
import { uploadMs, type Transport } from './transport.ts';
import { accountOf } from './account.ts';

const mutationsPerBatchMax = 100;
/** The server takes 8 MiB; halved each time that is still too much. */
const batchBytesMax = 4 * 1024 * 1024;
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
  /** What was offered before the push under way. */
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
    const waiting = this.#waiting();
    if (waiting.length === 0) return { more: false };
    const account_id = await accountOf({ outbox: this.#outbox, transport: this.#transport }, signal);
    const { client_id } = this.#outbox.device;
    if (waiting[0]!.state === 'carried') return this.#pushCarried(account_id, waiting[0]!.client_id, signal);
    this.#lastBatch = this.#batchOf(this.#waiting());
    const mutations = this.#lastBatch.map((body) => this.#wire(body));
    const head = { client_id, account_id, acked_seq: this.#view.settledSeq, sent_at: this.#now() };
    await this.#look(head, signal);
    await this.#offer(client_id);
    const { last_seq } = await this.#send({ ...head, offered_seq: this.#offeredSeq, mutations }, signal);
    this.#taken = { clientId: client_id, seq: last_seq };
    this.#hasLooked = true;
    this.#bytesMax = Math.min(batchBytesMax, this.#bytesMax * 2);
    return { more: this.#waiting().length > 0 };
  }

  /**
   * What another device made goes in that device's sequence, before what was made here: the server takes each number
   * once, whoever brings it. Nothing is acknowledged, so that whoever comes next has the same answers.
   */
  async #pushCarried(account_id: string, client_id: string, signal: AbortSignal): Promise<{ more: boolean }> {
    const waiting = this.#waiting();
    const ofOthers = waiting.findIndex((body) => body.client_id !== client_id);
    this.#lastBatch = this.#batchOf(ofOthers === -1 ? waiting : waiting.slice(0, ofOthers));
    const mutations = this.#lastBatch.map((body) => this.#wire(body));
    const { results } = await this.#send({ client_id, account_id, carried: true, acked_seq: 0, mutations }, signal);
    const answers = new Map(results.map((it) => [it.seq, it.status === 'rejected' ? it.error : ('done' as const)]));
    for (const body of this.#lastBatch) this.#answers.set(body, answers.get(body.seq) ?? 'forgotten');
    this.#bytesMax = Math.min(batchBytesMax, this.#bytesMax * 2);
    return { more: this.#waiting().length > 0 };
  }

  /** What a carried mutation was answered; undefined before. */
  answerTo(body: MutationBody): Answer | undefined {
    return this.#answers.get(body);
  }

  /** Why it was truly refused, where the server cannot tell. */
  trueErrorOf(body: MutationBody): Problem | undefined {
    return this.#oversized.has(body) ? tooLarge : undefined;
  }

  /** The numbers up to here are known to mean the same on the server. */
  get offeredSeq(): number {
    return this.#offeredSeq;
  }

  /**
   * A pull has told how far the server is: what it was said to have taken, and has not, is to be pushed again. Throws when
   * it has more than was ever offered.
   */
  proven(): void {
    this.#taken = { clientId: '', seq: 0 };
    this.#offeredSeq = this.#outbox.device.offered_seq ?? 0;
    if ((this.#view.client?.last_seq ?? 0) > this.#offeredSeq)
      throw new SyncFailure({ kind: 'reused', problem: reused });
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
  async #look(head: Omit<PushRequest, 'mutations'>, signal: AbortSignal): Promise<void> {
    this.#offeredSeq = this.#outbox.device.offered_seq ?? 0;
    const neverSynced = this.#view.base.cursor === undefined;
    if (this.#hasLooked || neverSynced) return;
    await this.#send({ ...head, offered_seq: this.#offeredSeq, mutations: [] }, signal);
    this.#hasLooked = true;
  }

  /** Remembered before it is sent. */
  async #offer(client_id: string): Promise<void> {
    await this.#outbox.identity.rememberOffered(client_id, this.#lastBatch.at(-1)!.seq);
  }

  async #send(request: PushRequest, signal: AbortSignal): Promise<PushResponse> {
    this.#onSend(uploadMs(this.#lastBytes));
    try {
      return await this.#transport.push(request, signal);
    } catch (error) {
      const slow = error instanceof SyncFailure && error.failure.kind === 'unreachable' && error.failure.timedOut;
      if (slow && this.#lastBatch.length > 1) this.splitBatch();
      const isSmall = this.#lastBatch.length === 1 && this.#lastBytes < oversizedBytesMin;
      if (isSmall && error instanceof SyncFailure && error.failure.kind === 'too_large') {
        throw new SyncFailure({ ...error.failure, kind: 'busy', retryAfterMs: null });
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

  #batchOf(waiting: MutationBody[]): MutationBody[] {
    const batch: MutationBody[] = [];
    this.#lastBytes = 0;
    for (const body of waiting.slice(0, mutationsPerBatchMax)) {
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

const reused: Problem = problemOf({
  code: 'sequence_reused',
  detail: 'The server has work of this device that the device does not remember. What is kept here is numbered anew.',
});

const tooLarge: Problem = problemOf({
  code: 'payload_too_large',
  detail: 'It is larger than the server, or something on the way to it, takes.',
});

const utf8 = new TextEncoder();
