/**
 * Delivers account events to the endpoints of webhooks. Each account is in a bucket, and the process that holds the lease of
 * the bucket delivers for the account:
 *
 *   each 10 s: take or keep leases ─▶ accounts of the held buckets ─▶ endpoints that are due
 *   poke of a commit ────────────────▶ the account, if its bucket is held
 *   endpoint ─▶ next event ─▶ POST ─▶ save what follows ─▶ next event ...
 *
 * An endpoint gets one event at a time, in order. A process that dies has saved nothing of a delivery that was under way, so
 * the next holder sends that event again, with the same id.
 */
import { eventsAfter, toAccountEvent } from '../events/list-events.ts';
import { withSubjectRecords } from '../events/subject-records.ts';
import { randomFraction, randomUuid, type World } from '../core/world.ts';
import type { LoggedEvent } from '../store/events/event-row.ts';
import type { Store } from '../store/store.ts';
import type { DeliveryRow, DeliveryState, WebhookRow } from '../store/webhooks/webhook-row.ts';
import { bucketOf } from './buckets.ts';
import { deliveryBody } from './delivery-body.ts';
import { stateAfter } from './next-state.ts';
import { postWebhook } from './post-webhook.ts';
import { signaturesOf, webhookSecret } from './signature.ts';
import type { AllowedTargets } from './target.ts';

const roundMs = 10_000;
const leaseMs = 30_000;
/** A delivery takes up to 15 s, and must end while the lease lasts. */
const leaseLeftMsMin = 16_000;
const rowsPerRead = 100;
const bytesPerRead = 256 * 1024;

interface DelivererOptions {
  store: Store;
  world: World;
  allowed: AllowedTargets;
  onBug(error: unknown): void;
}

export class WebhookDeliverer {
  readonly #options: DelivererOptions;
  readonly #holder: string;
  readonly #leasedUntilMs = new Map<number, number>();
  /** The deliveries under way, by endpoint. */
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #stopListening = () => {};

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#holder = randomUuid(options.world);
  }

  start(): void {
    const { store, onBug } = this.#options;
    this.#stopListening = store.onCommit(({ accountId }) => {
      if (this.#holds(bucketOf(accountId))) void this.deliverAccount(accountId).catch(onBug);
    });
    const round = async () => {
      await this.round().catch(onBug);
      if (!this.#stopped.signal.aborted) this.#timer = setTimeout(() => void round(), roundMs).unref();
    };
    void round();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#stopListening();
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#underWay.values());
  }

  /** Takes or keeps the leases of buckets, and delivers what is due for their accounts. */
  async round(): Promise<void> {
    const { store, world } = this.#options;
    for (const bucket of await store.webhookBuckets()) {
      const nowMs = world.now();
      const lease = { now: new Date(nowMs).toISOString(), until: new Date(nowMs + leaseMs).toISOString() };
      const isHeld = await store.leaseBucket({ bucket, holder: this.#holder, ...lease });
      if (isHeld) this.#leasedUntilMs.set(bucket, nowMs + leaseMs);
      else this.#leasedUntilMs.delete(bucket);
      if (isHeld) for (const accountId of await store.webhookAccounts(bucket)) await this.deliverAccount(accountId);
    }
  }

  /** Begins what is due at the account's endpoints. Does not wait for it. */
  async deliverAccount(accountId: string): Promise<void> {
    const { store, world, onBug } = this.#options;
    for (const webhook of await store.webhooks(accountId)) {
      const isDue = webhook.next_attempt_at === null || Date.parse(webhook.next_attempt_at) <= world.now();
      if (webhook.is_disabled || !isDue || this.#underWay.has(webhook.id) || this.#stopped.signal.aborted) continue;
      const delivering = this.#deliverAll(accountId, webhook)
        .catch(onBug)
        .finally(() => this.#underWay.delete(webhook.id));
      this.#underWay.set(webhook.id, delivering);
    }
  }

  /** Resolves once nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay.values());
  }

  #holds(bucket: number): boolean {
    return (this.#leasedUntilMs.get(bucket) ?? 0) - this.#options.world.now() >= leaseLeftMsMin;
  }

  async #deliverAll(accountId: string, webhook: WebhookRow): Promise<void> {
    const { store } = this.#options;
    let state: DeliveryState = webhook;
    const save = async (next: DeliveryState, delivery?: DeliveryRow): Promise<boolean> => {
      const { cursor, tries } = state;
      const given = delivery ? { delivery } : {};
      const isSaved = await store.saveDelivery(accountId, {
        webhookId: webhook.id,
        before: { cursor, tries },
        state: deliveryStateOf(next),
        ...given,
      });
      state = next;
      return isSaved;
    };
    for (;;) {
      const read = await store.events(accountId, { after: state.cursor, rowsMax: rowsPerRead, bytesMax: bytesPerRead });
      const last = read.rows.at(-1);
      if (!last) return;
      for (const { event, created_at } of eventsAfter(state.cursor, read.rows)) {
        if (webhook.types && !webhook.types.includes(event.type)) continue;
        if (!this.#holds(bucketOf(accountId)) || this.#stopped.signal.aborted) return;
        const { next, delivery } = await this.#try(accountId, { webhook, state, event, created_at });
        if (!(await save(next, delivery)) || delivery.outcome === 'failed') return;
      }
      // What the types leave out is passed over without a delivery.
      if (state.cursor < last.last_version && !(await save({ ...state, cursor: last.last_version }))) return;
    }
  }

  async #try(
    accountId: string,
    {
      webhook,
      state,
      event,
      created_at,
    }: { webhook: WebhookRow; state: DeliveryState; event: LoggedEvent; created_at: string },
  ): Promise<{ next: DeliveryState; delivery: DeliveryRow }> {
    const { store, world, allowed } = this.#options;
    const told = toAccountEvent(accountId, event, created_at);
    const [withRecord = told] = await withSubjectRecords(store, { accountId, isAdmin: true }, [told]);
    const body = deliveryBody(withRecord);
    const timestamp = Math.floor(world.now() / 1000);
    const secrets = await this.#secretsOf(accountId, webhook);
    const answer = await postWebhook({
      url: webhook.url,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Gemba-Webhooks',
        'webhook-id': told.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signaturesOf(secrets, { id: told.id, timestamp, body }),
      },
      body,
      allowed,
      signal: this.#stopped.signal,
    });
    const now = world.now();
    const tried = { version: event.version, answer, now, random: randomFraction(world) };
    const { state: next, outcome } = stateAfter(state, tried);
    const { status, text, durationMs } = answer;
    const delivery: DeliveryRow = {
      webhook_id: webhook.id,
      version: event.version,
      type: event.type,
      outcome,
      tries: state.tries + 1,
      at: new Date(now).toISOString(),
      status,
      duration_ms: durationMs,
      answer: text,
    };
    return { next, delivery };
  }

  async #secretsOf(accountId: string, { id, secret_generation, old_secret_until }: WebhookRow): Promise<string[]> {
    const { store, world } = this.#options;
    const key = Buffer.from(await store.webhookKey(newKey(world)), 'base64url');
    const isOldLive = old_secret_until !== null && Date.parse(old_secret_until) > world.now();
    const generations = isOldLive ? [secret_generation, secret_generation - 1] : [secret_generation];
    return generations.map((generation) => webhookSecret(key, { accountId, webhookId: id, generation }));
  }
}

const keyBytes = 32;

/** Makes a key from which secrets are derived, for a store that has none. */
export const newKey = (world: World): string => Buffer.from(world.randomBytes(keyBytes)).toString('base64url');

function deliveryStateOf(state: DeliveryState): DeliveryState {
  const { is_disabled, cursor, tries, next_attempt_at, failing_since, last_success_at } = state;
  return { is_disabled, cursor, tries, next_attempt_at, failing_since, last_success_at };
}
