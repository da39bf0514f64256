/**
 * Delivers the events of the accounts whose buckets this process leases (bucket-leases.ts) to their webhook endpoints:
 *
 *   each 10 s: accounts of the held buckets ─▶ a turn is requested for each endpoint that is behind
 *   poke of a commit ───────────────────▶ a turn is requested for the endpoints of the account
 *   turn: next event ─▶ POST ─▶ save what follows ─▶ another turn, or wait
 */
import { setMaxListeners } from 'node:events';
import type { Poke } from '../store/store.ts';
import type { WebhookRow } from '../store/webhooks/webhook-row.ts';
import { BucketLeases } from './bucket-leases.ts';
import { accountBucketOf } from './buckets.ts';
import { deliverNext, type DeliveryServices, type EndpointIds } from './deliver-next.ts';
import { restMsAfterDelivery, withChange, type LastTwoChanges } from './pace.ts';
import { startPeriodicWork, type PeriodicWork } from '../core/periodic-work.ts';
import { SharedReads } from './shared-reads.ts';
import { TurnQueue } from './turns.ts';

const roundMsDefault = 10_000;
/** Limits the deliveries under way, each of which takes up to 15 s at a slow endpoint. */
const deliveriesAtOnceMax = 1_000;
/** The time that deliveries under way get to end when the process stops. */
const stopMsMax = 1_000;

export interface EndpointCounts {
  active: number;
  failing: number;
}

export interface DelivererOptions extends Omit<DeliveryServices, 'signal'> {
  /** Default: 10 s. */
  roundMs?: number | undefined;
  /** Returns milliseconds of a clock that never jumps. Default: `performance.now`. */
  monotonicMs?(): number;
  /** Called after each round with the endpoints that this process delivers to. */
  onRound?(endpoints: EndpointCounts): void;
  onBug(error: unknown): void;
}

export class WebhookDeliverer {
  readonly #options: DelivererOptions;
  readonly #leases: BucketLeases;
  /** The account of each endpoint that the last round found. */
  #accounts = new Map<string, string>();
  /** The endpoints of each account. */
  #endpoints = new Map<string, string[]>();
  /** The newest known version of each account. */
  readonly #newestVersions = new Map<string, number>();
  /**
   * The cursor to which this process moved each endpoint, or `sending` during a turn. An entry is deleted when a
   * request or another process may have changed the cursor.
   */
  readonly #cursors = new Map<string, number | 'sending'>();
  readonly #changes = new Map<string, LastTwoChanges>();
  /** The time until which each endpoint of a busy account rests, by the monotonic clock. */
  readonly #restUntil = new Map<string, number>();
  readonly #reads = new SharedReads();
  readonly #turns: TurnQueue<string>;
  readonly #stopped = new AbortController();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  #isStopping = false;
  #rounds: PeriodicWork[] = [];
  #stopListening = () => {};

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#leases = new BucketLeases(options);
    // Each delivery adds one listener to the signal.
    setMaxListeners(deliveriesAtOnceMax, this.#stopped.signal);
    this.#turns = new TurnQueue({
      atOnceMax: deliveriesAtOnceMax,
      turn: (webhookId) => this.#turn(webhookId),
      onBug: options.onBug,
    });
  }

  start(): void {
    const { store, onBug, roundMs = roundMsDefault } = this.#options;
    this.#stopListening = store.onCommit((poke) => this.#onPoke(poke));
    const rounds = startPeriodicWork({ work: () => this.round(), pauseMs: roundMs, onBug });
    // A round may take longer than a lease lasts, so leases are renewed independently of rounds.
    const renewals = startPeriodicWork({
      work: async () => {
        if (await this.#leases.renew()) rounds.runSoon();
      },
      pauseMs: roundMs,
      onBug,
    });
    this.#rounds = [rounds, renewals];
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopListening();
    for (const retry of this.#retries.values()) clearTimeout(retry);
    const abort = setTimeout(() => this.#stopped.abort(), stopMsMax);
    await Promise.all([this.#turns.close(), ...this.#rounds.map((one) => one.stop())]);
    clearTimeout(abort);
    this.#stopped.abort();
    await this.#leases.release().catch(this.#options.onBug);
  }

  /** Requests a turn for each endpoint that is behind, in the accounts of the held buckets. */
  async round(): Promise<void> {
    const { store } = this.#options;
    const accounts = new Map<string, string>();
    const endpoints = new Map<string, string[]>();
    let failing = 0;
    for (const bucket of this.#leases.held) {
      for (const accountId of await store.webhookAccounts(bucket)) {
        if (this.#isStopping) return;
        const webhooks = (await store.webhooks(accountId)).filter((webhook) => webhook.disabled_reason === null);
        failing += webhooks.filter(({ failing_since }) => failing_since !== null).length;
        for (const { id } of webhooks) accounts.set(id, accountId);
        endpoints.set(
          accountId,
          webhooks.map(({ id }) => id),
        );
        await this.#requestTurnsBehind(accountId, webhooks);
      }
    }
    this.#accounts = accounts;
    this.#endpoints = endpoints;
    for (const accountId of this.#newestVersions.keys()) {
      if (endpoints.has(accountId)) continue;
      this.#newestVersions.delete(accountId);
      this.#changes.delete(accountId);
    }
    for (const id of this.#cursors.keys()) {
      if (accounts.has(id)) continue;
      this.#cursors.delete(id);
      this.#restUntil.delete(id);
    }
    this.#options.onRound?.({ active: accounts.size - failing, failing });
  }

  /** Takes or renews the leases on the buckets that have accounts. */
  renewLeases(): Promise<boolean> {
    return this.#leases.renew();
  }

  /** Resolves once no endpoint waits for a turn or has one. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  /** Requests a turn only for endpoints whose cursor is behind the account's version. */
  async #requestTurnsBehind(accountId: string, webhooks: WebhookRow[]): Promise<void> {
    const version = webhooks.length > 0 ? ((await this.#options.store.account(accountId))?.version ?? 0) : 0;
    this.#newestVersions.set(accountId, Math.max(version, this.#newestVersionOf(accountId)));
    for (const { id, cursor } of webhooks) {
      if (cursor >= version) continue;
      this.#cursors.delete(id);
      this.#requestTurn({ accountId, webhookId: id });
    }
  }

  #onPoke({ accountId, version }: Poke): void {
    const webhookIds = this.#endpoints.get(accountId);
    if (!webhookIds) return;
    const isNews = version > this.#newestVersionOf(accountId);
    if (isNews) this.#newestVersions.set(accountId, version);
    if (isNews) this.#changes.set(accountId, withChange(this.#changes.get(accountId), this.#monotonicMs()));
    for (const webhookId of webhookIds) {
      // A poke without a new version may follow a change of an endpoint, such as a replay. Forget the known cursor,
      // since it may have changed.
      if (!isNews) this.#cursors.delete(webhookId);
      this.#requestTurn({ accountId, webhookId });
    }
  }

  #monotonicMs(): number {
    return this.#options.monotonicMs?.() ?? performance.now();
  }

  #newestVersionOf(accountId: string): number {
    return this.#newestVersions.get(accountId) ?? 0;
  }

  #requestTurn({ accountId, webhookId }: EndpointIds): void {
    this.#accounts.set(webhookId, accountId);
    this.#turns.request(webhookId);
  }

  async #turn(webhookId: string): Promise<boolean> {
    const { world, onBug, roundMs = roundMsDefault } = this.#options;
    const accountId = this.#accounts.get(webhookId);
    if (accountId === undefined || !this.#leases.holds(accountBucketOf(accountId))) return false;
    const key = { accountId, webhookId };
    const known = this.#cursors.get(webhookId);
    if (typeof known === 'number' && known >= this.#newestVersionOf(accountId)) return false;
    const restMs = (this.#restUntil.get(webhookId) ?? 0) - this.#monotonicMs();
    if (restMs > 0) {
      this.#requestTurnLater(key, restMs);
      return false;
    }
    this.#restUntil.delete(webhookId);
    this.#cursors.set(webhookId, 'sending');
    const services = { ...this.#options, signal: this.#stopped.signal };
    const turn = { ...key, reads: this.#reads, newestVersion: this.#newestVersionOf(accountId) };
    const end = await deliverNext(services, turn).catch((error: unknown) => {
      onBug(error);
      // The event may have been sent already. The wait keeps each poke from sending the event again.
      return { state: 'waits' as const, until: world.now() + roundMs };
    });
    if (end.state === 'idle') return false;
    if (end.state === 'again') {
      if (end.eventAgeMs !== undefined) this.#rest(key, end.eventAgeMs);
      if (end.cursor === undefined || this.#cursors.get(webhookId) !== 'sending') return true;
      this.#cursors.set(webhookId, end.cursor);
      return end.cursor < this.#newestVersionOf(accountId);
    }
    // If the wait is longer than a round, a later round requests the turn.
    const waitMs = end.until - world.now();
    if (waitMs < roundMs) this.#requestTurnLater(key, waitMs);
    return false;
  }

  #rest({ accountId, webhookId }: EndpointIds, eventAgeMs: number): void {
    const now = this.#monotonicMs();
    const endpoints = this.#endpoints.get(accountId)?.length ?? 1;
    const restMs = restMsAfterDelivery({ now, changes: this.#changes.get(accountId), endpoints, eventAgeMs });
    if (restMs > 0) this.#restUntil.set(webhookId, now + restMs);
  }

  #requestTurnLater(key: EndpointIds, waitMs: number): void {
    if (this.#isStopping) return;
    clearTimeout(this.#retries.get(key.webhookId));
    const retry = setTimeout(() => {
      this.#retries.delete(key.webhookId);
      this.#requestTurn(key);
    }, waitMs);
    this.#retries.set(key.webhookId, retry.unref());
  }
}
