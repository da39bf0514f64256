/**
 * Delivers account events to the endpoints of webhooks, of the accounts whose buckets this process holds (bucket-leases.ts):
 *
 *   each 10 s: accounts of the held buckets ─▶ endpoints that are behind ask for a turn
 *   poke of a commit ─────────────────────────▶ endpoints of the account ask for a turn
 *   turn: next event ─▶ POST ─▶ save what follows ─▶ ask again, or wait
 */
import { setMaxListeners } from 'node:events';
import type { WebhookRow } from '../store/webhooks/webhook-row.ts';
import { BucketLeases } from './bucket-leases.ts';
import { bucketOf } from './buckets.ts';
import { deliverNext, type DeliveryParts, type EndpointKey } from './deliver-next.ts';
import { startRounds, type Rounds } from './rounds.ts';
import { Turns } from './turns.ts';

const roundMsDefault = 10_000;
/** An endpoint that takes all of 15 s to answer holds one of these meanwhile. */
const deliveriesAtOnceMax = 1_000;
/** Lets deliveries end that are under way when the process stops. */
const stopMsMax = 1_000;

export interface EndpointCounts {
  active: number;
  failing: number;
}

export interface DelivererOptions extends Omit<DeliveryParts, 'signal'> {
  /** Default: 10 s. */
  roundMs?: number | undefined;
  /** Called after each round with the endpoints that this process delivers to. */
  onRound?(endpoints: EndpointCounts): void;
  onBug(error: unknown): void;
}

export class WebhookDeliverer {
  readonly #options: DelivererOptions;
  readonly #leases: BucketLeases;
  /** The accounts of the endpoints that the last round found. */
  #accounts = new Map<string, string>();
  /** The endpoints of each account. */
  #endpoints = new Map<string, string[]>();
  readonly #turns: Turns<string>;
  readonly #stopped = new AbortController();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  #isStopping = false;
  #rounds: Rounds[] = [];
  #stopListening = () => {};

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#leases = new BucketLeases(options);
    // Each delivery adds one listener.
    setMaxListeners(deliveriesAtOnceMax, this.#stopped.signal);
    this.#turns = new Turns({
      atOnceMax: deliveriesAtOnceMax,
      turn: (webhookId) => this.#turn(webhookId),
      onBug: options.onBug,
    });
  }

  start(): void {
    const { store, onBug, roundMs = roundMsDefault } = this.#options;
    this.#stopListening = store.onCommit(({ accountId }) => this.#askAll(accountId));
    const rounds = startRounds({ work: () => this.round(), pauseMs: roundMs, onBug });
    // A round may take longer than a lease has left, so that leases are renewed beside it.
    const renewals = startRounds({
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

  /** Asks for a turn of each endpoint that is behind, of the accounts of the held buckets. */
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
        await this.#askBehind(accountId, webhooks);
      }
    }
    this.#accounts = accounts;
    this.#endpoints = endpoints;
    this.#options.onRound?.({ active: accounts.size - failing, failing });
  }

  /** Takes or keeps the leases of the buckets that have accounts. */
  renewLeases(): Promise<boolean> {
    return this.#leases.renew();
  }

  /** Resolves once no endpoint waits for a turn or has one. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  /** An endpoint that is not behind needs no turn. */
  async #askBehind(accountId: string, webhooks: WebhookRow[]): Promise<void> {
    const version = webhooks.length > 0 ? ((await this.#options.store.account(accountId))?.version ?? 0) : 0;
    for (const { id, cursor } of webhooks) if (cursor < version) this.#ask({ accountId, webhookId: id });
  }

  #askAll(accountId: string): void {
    for (const webhookId of this.#endpoints.get(accountId) ?? []) this.#ask({ accountId, webhookId });
  }

  #ask({ accountId, webhookId }: EndpointKey): void {
    this.#accounts.set(webhookId, accountId);
    this.#turns.ask(webhookId);
  }

  async #turn(webhookId: string): Promise<boolean> {
    const { world, onBug, roundMs = roundMsDefault } = this.#options;
    const accountId = this.#accounts.get(webhookId);
    if (accountId === undefined || !this.#leases.holds(bucketOf(accountId))) return false;
    const parts = { ...this.#options, signal: this.#stopped.signal };
    const key = { accountId, webhookId };
    const end = await deliverNext(parts, key).catch((error: unknown) => {
      onBug(error);
      // The event may have been sent, and must not be sent again at each poke.
      return { state: 'waits' as const, until: world.now() + roundMs };
    });
    if (end.state !== 'waits') return end.state === 'again';
    // Later ones are found by a round.
    const waitMs = end.until - world.now();
    if (waitMs < roundMs) this.#askLater(key, waitMs);
    return false;
  }

  #askLater(key: EndpointKey, waitMs: number): void {
    if (this.#isStopping) return;
    clearTimeout(this.#retries.get(key.webhookId));
    const retry = setTimeout(() => {
      this.#retries.delete(key.webhookId);
      this.#ask(key);
    }, waitMs);
    this.#retries.set(key.webhookId, retry.unref());
  }
}
