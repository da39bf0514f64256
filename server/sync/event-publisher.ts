/**
 * `GET /sync/events` sends the account's newest cursor at once and after each change, as server-sent events. All pokes
 * of one turn of the event loop are sent together.
 *
 *   commit ─► poke ─┬─► send the account's newest version to each of its streams
 *   slow poll ──────┘   if a token was revoked: look up the token of each stream, end the streams of revoked tokens
 */
import type { ServerResponse } from 'node:http';
import { eventStreamsPerAccountMax } from '../../shared/schema/limits.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { Metrics } from '../observe/metrics.ts';
import { mergePokes } from '../store/pokes.ts';
import { StoreUnavailable, type Poke, type Store } from '../store/store.ts';
import type { AccountRow } from '../store/account-row.ts';
import type { EventStream, StreamReader } from './event-stream.ts';
import { EventStreams } from './event-streams.ts';

interface EventPublisherOptions {
  /** The interval of the slow poll. A poke can get lost, and on SQLite other processes send no pokes. */
  pollIntervalMs?: number;
  /** Must be less than the 20 s that the API promises. Most proxies have longer idle timeouts. */
  heartbeatIntervalMs?: number;
  /** Keeps one account from taking all connections of the process. */
  streamsPerAccountMax?: number;
  metrics?: Pick<Metrics, 'eventStreams' | 'eventLagSecs' | 'pokes' | 'pokeSecs'>;
  /** Called with each error that is not an outage of the store. */
  onBug?: (error: unknown) => void;
}

export class EventPublisher {
  readonly #store: Store;
  readonly #streams: EventStreams;
  readonly #metrics: EventPublisherOptions['metrics'];
  readonly #onBug: (error: unknown) => void;
  readonly #pollIntervalMs: number;
  /** The pokes of this turn of the event loop, by account. */
  readonly #pokes = new Map<string, Poke>();
  #firstPokedAt = 0;
  readonly #stopListening: () => void;
  readonly #heartbeatTimer: NodeJS.Timeout;
  #pollTimer: NodeJS.Timeout;
  #isClosed = false;

  constructor(store: Store, options: EventPublisherOptions = {}) {
    const {
      pollIntervalMs = 5_000,
      heartbeatIntervalMs = 15_000,
      streamsPerAccountMax = eventStreamsPerAccountMax,
    } = options;
    const { metrics, onBug = () => {} } = options;
    this.#store = store;
    this.#streams = new EventStreams({ streamsPerAccountMax, metrics });
    this.#metrics = metrics;
    this.#onBug = onBug;
    this.#pollIntervalMs = pollIntervalMs;
    this.#stopListening = store.onCommit((poke) => this.#gatherPoke(poke));
    this.#heartbeatTimer = setInterval(() => this.#streams.sendHeartbeats(), heartbeatIntervalMs);
    this.#pollTimer = setTimeout(() => this.#poll(), pollIntervalMs);
  }

  /** Opens a stream on the response, or returns a refusal. The stream ends when the reader's token is revoked. */
  async open(reader: StreamReader, response: ServerResponse): Promise<RefusedRequest | void> {
    // A response that is closed already sends no `close` event, so the stream would never be removed.
    if (response.destroyed) return;
    const opened = this.#streams.open(reader, response);
    if (!opened.ok) return opened;
    const account = await this.#store.account(reader.accountId).catch(ignoreUnavailable);
    if (!account) return;
    opened.stream.send(account.version);
    // The token may have been revoked after the request was authenticated and before the stream was open.
    await this.#endIfRevoked(opened.stream, account);
  }

  /** Ends all streams, so that the clients reconnect to another process. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pollTimer);
    clearInterval(this.#heartbeatTimer);
    this.#stopListening();
    this.#streams.endAll();
  }

  #gatherPoke(poke: Poke): void {
    const { accountId } = poke;
    if (!this.#streams.hasStreams(accountId)) return;
    if (this.#pokes.size === 0) {
      this.#firstPokedAt = performance.now();
      setImmediate(() => this.#sendPokes());
    }
    this.#pokes.set(accountId, mergePokes(poke, this.#pokes.get(accountId)));
  }

  #sendPokes(): void {
    for (const { accountId, version, revoked, committedAtMs } of this.#pokes.values()) {
      const isNews = this.#send(accountId, version);
      if (committedAtMs !== undefined && isNews) this.#countPoke(committedAtMs);
      if (revoked) void this.#updateStreamsSafely(accountId);
    }
    this.#metrics?.eventLagSecs.observe((performance.now() - this.#firstPokedAt) / 1000);
    this.#pokes.clear();
  }

  async #poll(): Promise<void> {
    for (const accountId of this.#streams.accountIds) await this.#updateStreamsSafely(accountId, { isPoll: true });
    if (!this.#isClosed) this.#pollTimer = setTimeout(() => this.#poll(), this.#pollIntervalMs);
  }

  /** Reports an error to `onBug`, since no caller handles it. The next poll tries again. */
  #updateStreamsSafely(accountId: string, { isPoll = false } = {}): Promise<void> {
    return this.#updateStreams(accountId, isPoll).catch(this.#onBug);
  }

  /** Returns true if the version was new to one of the account's streams. */
  #send(accountId: string, version: number): boolean {
    let isNews = false;
    for (const stream of this.#streams.streamsOfAccount(accountId)) isNews = stream.send(version) || isNews;
    return isNews;
  }

  /** Counts a poke and its delay, which is at least 0, since the clocks of two processes may differ. */
  #countPoke(committedAtMs: number): void {
    this.#metrics?.pokes.inc({ path: 'listen' });
    this.#metrics?.pokeSecs.observe(Math.max(0, Date.now() - committedAtMs) / 1000);
  }

  /** Sends the account's version to its streams and ends the streams of revoked tokens. */
  async #updateStreams(accountId: string, isPoll: boolean): Promise<void> {
    const account = await this.#store.account(accountId).catch(ignoreUnavailable);
    if (!account) return;
    const isNews = this.#send(accountId, account.version);
    // If a poke waits to be sent, the version is known from this poke and not from the poll.
    if (isPoll && isNews && !this.#pokes.has(accountId)) this.#metrics?.pokes.inc({ path: 'poll' });
    for (const stream of this.#streams.streamsOfAccount(accountId)) {
      if (account.revocations !== stream.checkedRevocations) await this.#endIfRevoked(stream, account);
    }
  }

  async #endIfRevoked(stream: EventStream, { revocations }: AccountRow): Promise<void> {
    const token = await this.#store.token(stream.reader).catch(ignoreUnavailable);
    // When the store is unavailable, the next poll looks up the token.
    if (token === undefined) return;
    stream.checkedRevocations = revocations;
    if (token.revoked_at !== null) this.#streams.end(stream);
  }
}

function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error;
}
