/** One batch of the outbox to the server, in order. */
import type { PushedMutation, PushRequest, PushResponse } from '../../shared/protocol/push.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { MutationBody } from '../store/rows.ts';
import type { View } from '../view/view.ts';
import { SyncFailure } from './failure.ts';
import type { Transport } from './transport.ts';
import { accountOf } from './account.ts';

const mutationsPerBatchMax = 100;
/** The server takes 8 MiB; halved each time that is still too much. */
const batchBytesMax = 4 * 1024 * 1024;

interface PusherOptions {
  outbox: Outbox;
  view: View;
  transport: Transport;
  now: () => string;
}

export class Pusher {
  readonly #outbox: Outbox;
  readonly #view: View;
  readonly #transport: Transport;
  readonly #now: () => string;
  #bytesMax = batchBytesMax;
  #lastBatch: MutationBody[] = [];
  #lastBytes = 0;
  /** A mutation that is too large even alone: its number goes without its content and comes back refused. */
  #oversized: MutationBody | undefined;
  /** How far the server said that it is; it counts only for what to push next, until the pull proves it. */
  #taken = { clientId: '', seq: 0 };

  readonly #answers = new WeakMap<MutationBody, Problem | null>();

  constructor({ outbox, view, transport, now }: PusherOptions) {
    this.#outbox = outbox;
    this.#view = view;
    this.#transport = transport;
    this.#now = now;
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
    const { last_seq } = await this.#send({ ...head, mutations }, signal);
    this.#taken = { clientId: client_id, seq: last_seq };
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
    const errors = new Map(results.map((it) => [it.seq, it.status === 'rejected' ? it.error : null]));
    for (const body of this.#lastBatch) this.#answers.set(body, errors.get(body.seq) ?? null);
    this.#bytesMax = Math.min(batchBytesMax, this.#bytesMax * 2);
    return { more: this.#waiting().length > 0 };
  }

  /** What a carried mutation was answered; null when it was done, undefined before. */
  answerTo(body: MutationBody): Problem | null | undefined {
    return this.#answers.get(body);
  }

  /** Less goes at once when the server found the last batch too large, or the line was too slow for it. */
  splitBatch(): void {
    if (this.#lastBatch.length === 1) this.#oversized = this.#lastBatch[0];
    else this.#bytesMax = Math.max(1, Math.min(this.#bytesMax, this.#lastBytes) / 2);
  }

  /** Mutations that the server has not yet said to have taken. */
  get left(): number {
    return this.#waiting().length;
  }

  async #send(request: PushRequest, signal: AbortSignal): Promise<PushResponse> {
    try {
      return await this.#transport.push(request, signal);
    } catch (error) {
      const slow = error instanceof SyncFailure && error.failure.kind === 'unreachable' && error.failure.timedOut;
      if (slow && this.#lastBatch.length > 1) this.splitBatch();
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
    const sent = body === this.#oversized ? {} : args;
    return { seq, name, args: sent, recorded_at, ...(version === undefined ? {} : { version }) };
  }
}

const utf8 = new TextEncoder();
