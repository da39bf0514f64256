/**
 * `GET /sync/events`: the newest cursor at once and after each change, as server-sent events.
 *
 *   commit ─► poke ─┐
 *   slow poll ──────┴─► newest version of the account ─► each of its streams, once a turn
 *                  └──► a token was revoked ─► streams whose token it was end
 */
import type { ServerResponse } from 'node:http';
import { eventStreamsPerAccountMax } from '../../shared/schema/limits.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { Metrics } from '../observe/metrics.ts';
import { mergedPoke } from '../store/pokes.ts';
import { StoreUnavailable, type Poke, type Store } from '../store/store.ts';
import type { AccountRow } from '../store/account-row.ts';
import type { EventStream, StreamReader } from './event-stream.ts';
import { EventStreams } from './event-streams.ts';

interface EventFeedOptions {
  /** Pokes may be lost, and other processes on an embedded database send none. */
  pollMs?: number;
  /** Less than the 20 s that the contract allows, and than the idle timeouts of most proxies. */
  heartbeatMs?: number;
  /** One account cannot take every connection of the process. */
  streamsPerAccountMax?: number;
  metrics?: Pick<Metrics, 'eventStreams' | 'eventLagSecs'>;
  /** Hears of failures that are no outages. */
  onBug?: (error: unknown) => void;
}

export class EventFeed {
  readonly #store: Store;
  readonly #streams: EventStreams;
  readonly #metrics: EventFeedOptions['metrics'];
  readonly #onBug: (error: unknown) => void;
  readonly #pollMs: number;
  /** Accounts that were poked in this turn of the event loop. */
  readonly #poked = new Map<string, Poke>();
  #firstPokedAt = 0;
  readonly #stopHearing: () => void;
  readonly #beatTimer: NodeJS.Timeout;
  #pollTimer: NodeJS.Timeout;
  #isClosed = false;

  constructor(store: Store, options: EventFeedOptions = {}) {
    const { pollMs = 5_000, heartbeatMs = 15_000, streamsPerAccountMax = eventStreamsPerAccountMax } = options;
    const { metrics, onBug = () => {} } = options;
    this.#store = store;
    this.#streams = new EventStreams({ streamsPerAccountMax, metrics });
    this.#metrics = metrics;
    this.#onBug = onBug;
    this.#pollMs = pollMs;
    this.#stopHearing = store.onCommit((poke) => this.#hear(poke));
    this.#beatTimer = setInterval(() => this.#streams.beat(), heartbeatMs);
    this.#pollTimer = setTimeout(() => this.#poll(), pollMs);
  }

  /** Takes over the response, unless it gives a refusal. The stream ends when the reader's token is revoked. */
  async open(reader: StreamReader, response: ServerResponse): Promise<RefusedRequest | void> {
    // A reader who left while the token was looked up has closed the response, which does not close again.
    if (response.destroyed) return;
    const opened = this.#streams.open(reader, response);
    if (!opened.ok) return opened;
    const account = await this.#store.account(reader.accountId).catch(unlessUnavailable);
    if (!account) return;
    opened.stream.tell(account.version);
    // The token may have been revoked since the reader was let in.
    await this.#endIfRevoked(opened.stream, account);
  }

  /** Ends every stream; a client connects again elsewhere. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pollTimer);
    clearInterval(this.#beatTimer);
    this.#stopHearing();
    this.#streams.endAll();
  }

  /** The pokes of one turn are told together. */
  #hear(poke: Poke): void {
    const { accountId } = poke;
    if (!this.#streams.has(accountId)) return;
    if (this.#poked.size === 0) {
      this.#firstPokedAt = performance.now();
      setImmediate(() => this.#tellPoked());
    }
    this.#poked.set(accountId, mergedPoke(poke, this.#poked.get(accountId)));
  }

  #tellPoked(): void {
    for (const { accountId, version, revoked } of this.#poked.values()) {
      for (const stream of this.#streams.of(accountId)) stream.tell(version);
      if (revoked) void this.#lookSafely(accountId);
    }
    this.#metrics?.eventLagSecs.observe((performance.now() - this.#firstPokedAt) / 1000);
    this.#poked.clear();
  }

  async #poll(): Promise<void> {
    for (const accountId of this.#streams.accountIds) await this.#lookSafely(accountId);
    if (!this.#isClosed) this.#pollTimer = setTimeout(() => this.#poll(), this.#pollMs);
  }

  /** Nobody waits for a look: a failure is reported, and the next look tries again. */
  #lookSafely(accountId: string): Promise<void> {
    return this.#look(accountId).catch(this.#onBug);
  }

  /** Tells the account's streams what no poke told them. */
  async #look(accountId: string): Promise<void> {
    const account = await this.#store.account(accountId).catch(unlessUnavailable);
    if (!account) return;
    for (const stream of this.#streams.of(accountId)) {
      stream.tell(account.version);
      if (account.revocations !== stream.revocations) await this.#endIfRevoked(stream, account);
    }
  }

  async #endIfRevoked(stream: EventStream, { revocations }: AccountRow): Promise<void> {
    const token = await this.#store.token(stream.reader).catch(unlessUnavailable);
    // After an outage the next look asks again.
    if (token === undefined) return;
    stream.revocations = revocations;
    if (token.revoked_at !== null) this.#streams.end(stream);
  }
}

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error;
}
