/**
 * Delivers account events to the endpoints of webhooks. Each account is in a bucket, and the process that holds the lease of
 * the bucket delivers for the account:
 *
 *   each 10 s: take or keep leases ─▶ accounts of the held buckets ─▶ their endpoints ask for a turn
 *   poke of a commit ────────────────▶ endpoints of the account ─────▶ ask for a turn
 *   turn: next event ─▶ POST ─▶ save what follows ─▶ ask again, or wait
 */
import { setMaxListeners } from 'node:events';
import { randomUuid } from '../core/world.ts';
import type { WebhookRow } from '../store/webhooks/webhook-row.ts';
import { bucketOf } from './buckets.ts';
import { deliverNext } from './deliver-next.ts';
import type { SenderParts } from './send/send-event.ts';
import { Turns } from './turns.ts';

const roundMsDefault = 10_000;
const leaseMs = 30_000;
/** A delivery takes up to 15 s, and must end while the lease lasts. */
const leaseLeftMsMin = 16_000;
/** An endpoint that takes all of 15 s to answer holds one of these meanwhile. */
const deliveriesAtOnceMax = 1_000;
/** Lets deliveries end that are under way when the process stops. */
const stopMsMax = 1_000;

export interface DelivererOptions extends Omit<SenderParts, 'signal'> {
  /** Default: 10 s. */
  roundMs?: number | undefined;
  onBug(error: unknown): void;
}

/** An endpoint, as the text `account endpoint`. */
type EndpointName = `${string} ${string}`;

export class WebhookDeliverer {
  readonly #options: DelivererOptions;
  readonly #holder: string;
  readonly #leasedUntilMs = new Map<number, number>();
  /** The endpoints of the held buckets' accounts, as the last round found them. */
  #endpoints = new Map<string, EndpointName[]>();
  readonly #turns: Turns<EndpointName>;
  readonly #stopped = new AbortController();
  readonly #retries = new Map<EndpointName, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;
  #stopListening = () => {};

  constructor(options: DelivererOptions) {
    this.#options = options;
    // Each delivery listens for the end.
    setMaxListeners(deliveriesAtOnceMax, this.#stopped.signal);
    this.#holder = randomUuid(options.world);
    this.#turns = new Turns({
      atOnceMax: deliveriesAtOnceMax,
      turn: (name) => this.#turn(name),
      onBug: options.onBug,
    });
  }

  start(): void {
    const { store, onBug, roundMs = roundMsDefault } = this.#options;
    this.#stopListening = store.onCommit(({ accountId }) => this.#askAll(accountId));
    const round = async () => {
      await this.round().catch(onBug);
      if (!this.#stopped.signal.aborted) this.#timer = setTimeout(() => void round(), roundMs).unref();
    };
    void round();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    clearTimeout(this.#timer);
    for (const retry of this.#retries.values()) clearTimeout(retry);
    const abort = setTimeout(() => this.#stopped.abort(), stopMsMax);
    await this.#turns.close();
    clearTimeout(abort);
    this.#stopped.abort();
    await this.#releaseLeases().catch(this.#options.onBug);
  }

  /** Takes or keeps the leases of buckets, and asks for a turn of each endpoint of their accounts that is behind. */
  async round(): Promise<void> {
    const { store } = this.#options;
    // All leases come first, since reading the accounts may take longer than a lease has left.
    const held: number[] = [];
    for (const bucket of await store.webhookBuckets()) if (await this.#lease(bucket)) held.push(bucket);
    const endpoints = new Map<string, EndpointName[]>();
    for (const bucket of held) {
      for (const accountId of await store.webhookAccounts(bucket)) {
        const webhooks = (await store.webhooks(accountId)).filter(({ is_disabled }) => !is_disabled);
        if (webhooks.length > 0)
          endpoints.set(
            accountId,
            webhooks.map(({ id }) => nameOf(accountId, id)),
          );
        await this.#askBehind(accountId, webhooks);
      }
    }
    this.#endpoints = endpoints;
  }

  /** Most endpoints are not behind in most rounds, and then cost no turn. */
  async #askBehind(accountId: string, webhooks: WebhookRow[]): Promise<void> {
    const version = webhooks.length > 0 ? ((await this.#options.store.account(accountId))?.version ?? 0) : 0;
    for (const { id, cursor } of webhooks) if (cursor < version) this.#turns.ask(nameOf(accountId, id));
  }

  /** Resolves once no endpoint waits for a turn or has one. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  async #lease(bucket: number): Promise<boolean> {
    const { store, world } = this.#options;
    if (this.#stopped.signal.aborted) return false;
    const nowMs = world.now();
    const lease = { now: new Date(nowMs).toISOString(), until: new Date(nowMs + leaseMs).toISOString() };
    const isHeld = await store.leaseBucket({ bucket, holder: this.#holder, ...lease });
    if (isHeld) this.#leasedUntilMs.set(bucket, nowMs + leaseMs);
    else this.#leasedUntilMs.delete(bucket);
    return isHeld;
  }

  /** Lets another process take over at once. */
  async #releaseLeases(): Promise<void> {
    const { store, world } = this.#options;
    const ended = new Date(world.now() - 1).toISOString();
    for (const bucket of this.#leasedUntilMs.keys()) {
      await store.leaseBucket({ bucket, holder: this.#holder, now: ended, until: ended });
    }
    this.#leasedUntilMs.clear();
  }

  #holds(bucket: number): boolean {
    return (this.#leasedUntilMs.get(bucket) ?? 0) - this.#options.world.now() >= leaseLeftMsMin;
  }

  #askAll(accountId: string): void {
    for (const name of this.#endpoints.get(accountId) ?? []) this.#turns.ask(name);
  }

  async #turn(name: EndpointName): Promise<boolean> {
    const { world, roundMs = roundMsDefault } = this.#options;
    const [accountId = '', webhookId = ''] = name.split(' ');
    if (!this.#holds(bucketOf(accountId))) return false;
    const end = await deliverNext({ ...this.#options, signal: this.#stopped.signal }, { accountId, webhookId });
    if (end.state !== 'waits') return end.state === 'again';
    // Later ones are found by a round.
    const waitMs = end.until - world.now();
    if (waitMs < roundMs) this.#askLater(name, waitMs);
    return false;
  }

  #askLater(name: EndpointName, waitMs: number): void {
    clearTimeout(this.#retries.get(name));
    const retry = setTimeout(() => {
      this.#retries.delete(name);
      this.#turns.ask(name);
    }, waitMs);
    this.#retries.set(name, retry.unref());
  }
}

const nameOf = (accountId: string, webhookId: string): EndpointName => `${accountId} ${webhookId}`;
