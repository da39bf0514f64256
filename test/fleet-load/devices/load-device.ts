/**
 * A device as the server sees it: it numbers and chains its recordings, pushes them in order, and pulls until the server's
 * `client` record proves them. It has no engine and no storage.
 *
 *   record ─► pending ─► push ─► pull ─┬─ proven: gone from pending
 *                ▲                     └─ the chain differs: a problem
 *                └── any failure: again after a pause ──┘
 */
import type { ClientProgress, PullResponse } from '../../../shared/protocol/pull.ts';
import type { PushResponse } from '../../../shared/protocol/push.ts';
import { chainStart } from '../../../shared/protocol/chain.ts';
import { isWearable } from '../day-plan.ts';
import { lostAnswer, type LoadAnswer, type LoadRequest } from './http-client.ts';
import type { LoadAccount } from './load-account.ts';
import { chainAfter, recordingArgs } from './recordings.ts';
import type { Tally } from '../measure/tally.ts';

/** All devices share this. */
export interface LoadWorld {
  run: string;
  /** Sends to the server process of the device. */
  send(device: number, request: LoadRequest): Promise<LoadAnswer>;
  tally(): Tally;
  /** Says whether the network loses the next answer to a push. */
  losesAnswer(): boolean;
  /** Syncs the device again after a pause. */
  retry(device: LoadDevice, afterMs: number): void;
  problem(text: string): void;
}

interface Pending {
  seq: number;
  text: string;
  chain: string;
}

const mutationsPerPushMax = 100;
const pagesPerPullMax = 1_000;
const retryMsMin = 1_000;
const retryMsMax = 60_000;

export class LoadDevice {
  readonly number: number;
  readonly account: LoadAccount;
  readonly clientId: string;
  readonly #headers: Record<string, string>;
  readonly #world: LoadWorld;
  isOnline = false;
  isBusy = false;
  cursor = '';
  #isWanted = false;
  #recorded = 0;
  #offeredSeq = 0;
  #provenSeq = 0;
  #provenChain = chainStart;
  #pending: Pending[] = [];
  #retryMs = retryMsMin;

  constructor(given: { number: number; account: LoadAccount; token: string; clientId: string; world: LoadWorld }) {
    this.number = given.number;
    this.account = given.account;
    this.clientId = given.clientId;
    this.#headers = { Authorization: `Bearer ${given.token}`, 'Gemba-Protocol': '1' };
    this.#world = given.world;
  }

  /** How many recordings the device made. */
  get recorded(): number {
    return this.#recorded;
  }

  get unproven(): number {
    return this.#pending.length;
  }

  get headers(): Record<string, string> {
    return this.#headers;
  }

  record(): void {
    const number = ++this.#recorded;
    const { mapIds } = this.account;
    const args = recordingArgs({
      run: this.#world.run,
      device: this.number,
      number,
      mapId: mapIds[this.number % mapIds.length] ?? '',
      recordedAt: new Date().toISOString(),
    });
    const name = 'upload_recording';
    const chain = chainAfter(this.#pending.at(-1)?.chain ?? this.#provenChain, { name, args });
    const text = JSON.stringify({ seq: number, name, args, recorded_at: new Date().toISOString() });
    this.#pending.push({ seq: number, text, chain });
  }

  /** Pushes what is pending and pulls. Syncs once more if it is called meanwhile. `dueAt` is the start of the waiting. */
  async sync(dueAt: number): Promise<void> {
    this.#isWanted = true;
    if (this.isBusy) return;
    this.isBusy = true;
    let startedAt = dueAt;
    while (this.#isWanted && this.isOnline) {
      this.#isWanted = false;
      const failed = await this.#syncOnce(startedAt);
      if (failed) {
        this.#world.retry(this, Math.max(failed.retryAfterMs, this.#retryMs));
        this.#retryMs = Math.min(this.#retryMs * 2, retryMsMax);
        break;
      }
      this.#retryMs = retryMsMin;
      if (this.#pending.length > 0) this.#isWanted = true;
      startedAt = performance.now();
    }
    this.isBusy = false;
  }

  async #syncOnce(dueAt: number): Promise<{ retryAfterMs: number } | undefined> {
    const isPushing = this.#pending.length > 0;
    const failed = isPushing ? await this.#push(dueAt) : undefined;
    return failed ?? (await this.#pull(isPushing ? performance.now() : dueAt));
  }

  async #push(dueAt: number): Promise<{ retryAfterMs: number } | undefined> {
    const tally = this.#world.tally();
    const sent = this.#pending.slice(0, mutationsPerPushMax);
    const lastSeq = sent.at(-1)?.seq ?? 0;
    const head = JSON.stringify({
      client_id: this.clientId,
      account_id: this.account.id,
      acked_seq: this.#provenSeq,
      offered_seq: this.#offeredSeq,
      chain: this.#provenChain,
      sent_at: new Date().toISOString(),
    });
    const body = `${head.slice(0, -1)},"mutations":[${sent.map(({ text }) => text).join(',')}]}`;
    const newCount = lastSeq - Math.max(this.#offeredSeq, this.#provenSeq);
    this.#offeredSeq = Math.max(this.#offeredSeq, lastSeq);
    const answer = await this.#world.send(this.number, {
      method: 'POST',
      path: '/api/v1/sync/push',
      headers: this.#headers,
      body,
      losesAnswer: this.#world.losesAnswer(),
    });
    if (newCount > 0) tally.recordings += newCount;
    if (!answer.ok) return this.#failed(answer);
    const now = performance.now();
    tally.push.add(now - dueAt);
    const { results, cursor } = answer.body as PushResponse;
    this.account.pushed(cursor, dueAt, tally);
    for (const result of results) {
      if (result.status === 'rejected') this.#world.problem(`device ${this.number}: rejected: ${result.error.code}`);
    }
    return undefined;
  }

  async #pull(dueAt: number): Promise<{ retryAfterMs: number } | undefined> {
    const tally = this.#world.tally();
    const kinds = isWearable(this.number) ? '&kinds=map' : '';
    let startedAt = dueAt;
    for (let pages = 0; pages < pagesPerPullMax; pages++) {
      const query = `client_id=${this.clientId}&account_id=${this.account.id}&cursor=${this.cursor}${kinds}`;
      const path = `/api/v1/sync/pull?${query}`;
      const answer = await this.#world.send(this.number, { method: 'GET', path, headers: this.#headers });
      if (!answer.ok) return this.#failed(answer);
      tally.pull.add(performance.now() - startedAt);
      const { changes, cursor, has_more } = answer.body as PullResponse;
      for (const change of changes) if (change.kind === 'client' && change.doc) this.#prove(change.doc);
      this.cursor = cursor;
      if (!has_more) return undefined;
      startedAt = performance.now();
    }
    throw new Error(`device ${this.number}: a pull has more than ${pagesPerPullMax} pages`);
  }

  /** Holds the server's chain against the device's own, and lets go of what is done. */
  #prove({ last_seq, chain }: ClientProgress): void {
    if (last_seq <= this.#provenSeq) return;
    const own = this.#pending.find(({ seq }) => seq === last_seq)?.chain;
    if (own === undefined || own !== chain) {
      this.#world.problem(`device ${this.number}: the server's chain at number ${last_seq} is another`);
      return;
    }
    this.#provenSeq = last_seq;
    this.#provenChain = own;
    this.#pending = this.#pending.filter(({ seq }) => seq > last_seq);
  }

  #failed({ code, retryAfterMs }: { code: string; retryAfterMs: number }): { retryAfterMs: number } {
    const tally = this.#world.tally();
    if (code === lostAnswer) tally.lostAnswers++;
    else tally.error(code);
    return { retryAfterMs };
  }
}
