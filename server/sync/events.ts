/**
 * `GET /sync/events` sends the newest cursor at once and after each change, as server-sent events.
 *
 *   commit ─► poke ─┬─► newest version of the account ─► each stream of the account, once a turn of the event loop
 *   slow poll ──────┴─► a token was revoked ─► the streams of that token end
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
  /** The interval of the slow poll, which makes up for lost pokes and for processes that send none. */
  pollMs?: number;
  /** The API promises a sign of life every 20 s; most proxies have longer idle timeouts. */
  heartbeatMs?: number;
  /** Keeps one account from taking every connection of the process. */
  streamsPerAccountMax?: number;
  metrics?: Pick<Metrics, 'eventStreams' | 'eventLagSecs'>;
  /** Called with errors other than outages of the store. */
  onBug?: (error: unknown) => void;
}

export class EventFeed {
  readonly #store: Store;
  readonly #streams: EventStreams;
  readonly #metrics: EventFeedOptions['metrics'];
  readonly #onBug: (error: unknown) => void;
  readonly #pollMs: number;
  /** The accounts that were poked in this turn of the event loop. */
  readonly #poked = new Map<string, Poke>();
  #firstPokedAt = 0;
  readonly #stopListening: () => void;
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
    this.#stopListening = store.onCommit((poke) => this.#gather(poke));
    this.#beatTimer = setInterval(() => this.#streams.sendHeartbeats(), heartbeatMs);
    this.#pollTimer = setTimeout(() => this.#poll(), pollMs);
  }

  /** Opens a stream on the response or returns a refusal. The stream ends when the reader's token is revoked. */
  async open(reader: StreamReader, response: ServerResponse): Promise<RefusedRequest | void> {
    // The reader may have left meanwhile. A closed response sends no second `close` event.
    if (response.destroyed) return;
    const opened = this.#streams.open(reader, response);
    if (!opened.ok) return opened;
    const account = await this.#store.account(reader.accountId).catch(ignoreUnavailable);
    if (!account) return;
    opened.stream.send(account.version);
    // The token may have been revoked since the request was authenticated.
    await this.#endIfRevoked(opened.stream, account);
  }

  /** Ends every stream; the clients reconnect to another process. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pollTimer);
    clearInterval(this.#beatTimer);
    this.#stopListening();
    this.#streams.endAll();
  }

  /** Gathers the pokes of one turn of the event loop. */
  #gather(poke: Poke): void {
    const { accountId } = poke;
    if (!this.#streams.has(accountId)) return;
    if (this.#poked.size === 0) {
      this.#firstPokedAt = performance.now();
      setImmediate(() => this.#sendPoked());
    }
    this.#poked.set(accountId, mergedPoke(poke, this.#poked.get(accountId)));
  }

  #sendPoked(): void {
    for (const { accountId, version, revoked } of this.#poked.values()) {
      for (const stream of this.#streams.ofAccount(accountId)) stream.send(version);
      if (revoked) void this.#refreshSafely(accountId);
    }
    this.#metrics?.eventLagSecs.observe((performance.now() - this.#firstPokedAt) / 1000);
    this.#poked.clear();
  }

  async #poll(): Promise<void> {
    for (const accountId of this.#streams.accountIds) await this.#refreshSafely(accountId);
    if (!this.#isClosed) this.#pollTimer = setTimeout(() => this.#poll(), this.#pollMs);
  }

  /** Reports errors, since no caller handles them; the next poll tries again. */
  #refreshSafely(accountId: string): Promise<void> {
    return this.#refresh(accountId).catch(this.#onBug);
  }

  /** Sends the account's version to its streams and ends those with a revoked token. */
  async #refresh(accountId: string): Promise<void> {
    const account = await this.#store.account(accountId).catch(ignoreUnavailable);
    if (!account) return;
    for (const stream of this.#streams.ofAccount(accountId)) {
      stream.send(account.version);
      if (account.revocations !== stream.revocations) await this.#endIfRevoked(stream, account);
    }
  }

  async #endIfRevoked(stream: EventStream, { revocations }: AccountRow): Promise<void> {
    const token = await this.#store.token(stream.reader).catch(ignoreUnavailable);
    // The store is unavailable; the next poll looks the token up.
    if (token === undefined) return;
    stream.revocations = revocations;
    if (token.revoked_at !== null) this.#streams.end(stream);
  }
}

function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error;
}
