/**
 * `GET /sync/events`: the newest cursor at once and after each change, as server-sent events. Cursors are hints that carry no
 * data, so that a slow reader only ever gets the newest one.
 *
 *   commit ─► poke ─┐
 *   slow poll ──────┴─► newest version of the account ─► each of its streams, once a turn
 *                  └──► a token was revoked ─► streams whose token it was end
 */
import type { ServerResponse } from 'node:http';
import {
  eventStreamsPerAccountMax,
  eventStreamsPerDeviceMax,
  eventStreamsPerKeyMax,
} from '../../shared/schema/limits.ts';
import type { RefusedRequest } from '../mutate/answer.ts';
import type { TokenKey } from '../store/access.ts';
import type { Metrics } from '../observe/metrics.ts';
import { laterOf } from '../store/pokes.ts';
import { StoreUnavailable, type AccountRow, type Poke, type Store } from '../store/store.ts';
import { cursorText } from './cursor.ts';

export interface EventFeed {
  /** Takes over the response, unless it gives a refusal. The stream ends when the reader's token is revoked. */
  open(reader: StreamReader, response: ServerResponse): Promise<RefusedRequest | void>;
  /** Ends every stream; a client connects again elsewhere. */
  close(): void;
}

export interface StreamReader extends TokenKey {
  /** Absent for an API key. */
  deviceId?: string | null;
}

interface EventFeedOptions {
  /** Pokes may be lost, and other processes on an embedded database send none. */
  pollMs?: number;
  /** Less than the 20 s that the contract allows, and than the idle timeouts of most proxies. */
  heartbeatMs?: number;
  /** So that one account cannot take every connection of the process. */
  streamsPerAccountMax?: number;
  metrics?: Pick<Metrics, 'eventStreams' | 'eventLagSecs'>;
  /** Told of failures that are no outages. */
  onBug?: (error: unknown) => void;
}

export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** A reader that took nothing for so many heartbeats is gone. */
const stalledHeartbeatsMax = 4;

export function createEventFeed(store: Store, options: EventFeedOptions): EventFeed {
  const { pollMs = 5_000, heartbeatMs = 15_000, metrics, onBug = () => {} } = options;
  const { streamsPerAccountMax = eventStreamsPerAccountMax } = options;
  const streamsOf = new Map<string, Set<Stream>>();
  const poked = new Map<string, Poke>();
  let firstPokedAt = 0;

  const tellPoked = () => {
    for (const { accountId, version, revoked } of poked.values()) {
      for (const stream of streamsOf.get(accountId) ?? []) if (version > stream.told) tell(stream, version);
      if (revoked) void lookSafely(accountId);
    }
    metrics?.eventLagSecs.observe((performance.now() - firstPokedAt) / 1000);
    poked.clear();
  };
  const forget = store.onCommit((poke) => {
    const { accountId } = poke;
    if (!streamsOf.has(accountId)) return;
    if (poked.size === 0) {
      firstPokedAt = performance.now();
      setImmediate(tellPoked);
    }
    poked.set(accountId, laterOf(poke, poked.get(accountId)));
  });

  const endIfRevoked = async (stream: Stream, { id, revocations }: AccountRow): Promise<void> => {
    const token = await store.token(stream.reader).catch(unlessUnavailable);
    // After an outage the next look asks again.
    if (token === undefined) return;
    stream.revocations = revocations;
    if (token.revoked_at === null) return;
    streamsOf.get(id)?.delete(stream);
    stream.response.end();
  };
  /** What the account's streams were not told. */
  const look = async (accountId: string): Promise<void> => {
    const account = await store.account(accountId).catch(unlessUnavailable);
    if (!account) return;
    for (const stream of streamsOf.get(accountId) ?? []) {
      // A poke may have told more than was read.
      if (account.version > stream.told) tell(stream, account.version);
      if (account.revocations !== stream.revocations) await endIfRevoked(stream, account);
    }
  };
  /** Nobody waits for a look: what fails is told, and the next look tries again. */
  const lookSafely = (accountId: string): Promise<void> => look(accountId).catch(onBug);
  const poll = async (): Promise<void> => {
    for (const accountId of streamsOf.keys()) await lookSafely(accountId);
    if (!closed) pollTimer = setTimeout(poll, pollMs);
  };
  const beat = () => {
    for (const streams of streamsOf.values()) for (const stream of streams) heartbeat(stream);
  };
  const refusalOf = ({ tokenHash, deviceId }: StreamReader, streams: Set<Stream>): RefusedRequest | undefined => {
    if (streams.size >= streamsPerAccountMax) return tooManyStreams('account', streamsPerAccountMax);
    let ofToken = 0;
    for (const stream of streams) if (stream.reader.tokenHash === tokenHash) ofToken++;
    const limit = deviceId ? eventStreamsPerDeviceMax : eventStreamsPerKeyMax;
    return ofToken >= limit ? tooManyStreams('token', limit) : undefined;
  };
  let closed = false;
  let pollTimer = setTimeout(poll, pollMs);
  const beatTimer = setInterval(beat, heartbeatMs);

  return {
    async open(reader, response) {
      const { accountId } = reader;
      // Whoever left while the token was looked up has closed the response already, and will not close it again.
      if (response.destroyed) return;
      const streams = streamsOf.get(accountId) ?? new Set();
      const refusal = refusalOf(reader, streams);
      if (refusal) return refusal;
      const stream: Stream = { reader, response, told: -1, waiting: undefined, stalledHeartbeats: 0, revocations: -1 };
      streamsOf.set(accountId, streams.add(stream));
      metrics?.eventStreams.inc();
      response.on('close', () => {
        metrics?.eventStreams.dec();
        streams.delete(stream);
        if (streams.size === 0 && streamsOf.get(accountId) === streams) streamsOf.delete(accountId);
      });
      response.on('drain', () => {
        stream.stalledHeartbeats = 0;
        if (stream.waiting !== undefined) tell(stream, stream.waiting);
      });
      response.writeHead(200, eventStreamHeaders);
      response.flushHeaders();
      const account = await store.account(accountId).catch(unlessUnavailable);
      if (!account) return;
      if (account.version > stream.told) tell(stream, account.version);
      // It may have been revoked since it was let in.
      await endIfRevoked(stream, account);
    },
    close() {
      closed = true;
      clearTimeout(pollTimer);
      clearInterval(beatTimer);
      forget();
      for (const streams of streamsOf.values()) for (const { response } of streams) response.end();
    },
  };
}

/** After so long some reader may be gone. */
const retryAfterSecs = 60;

function tooManyStreams(owner: 'account' | 'token', limit: number): RefusedRequest {
  const detail = `The ${owner} has ${limit} event streams open, as many as it may.`;
  return {
    ok: false,
    error: { code: 'too_many_streams', detail, members: { limit, retry_after_secs: retryAfterSecs } },
  };
}

/** A stream outlives an outage, and hears of changes afterwards. */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error;
}

interface Stream {
  reader: StreamReader;
  response: ServerResponse;
  /** The version that the reader was told last. */
  told: number;
  /** The newest version while the reader is too slow to be told. */
  waiting: number | undefined;
  stalledHeartbeats: number;
  /** The account's count of them when the reader's token was last looked up. */
  revocations: number;
}

function tell(stream: Stream, version: number): void {
  if (stream.response.writableNeedDrain) {
    stream.waiting = version;
    return;
  }
  stream.waiting = undefined;
  stream.told = version;
  stream.response.write(`event: cursor\ndata: ${JSON.stringify({ cursor: cursorText({ version }) })}\n\n`);
}

function heartbeat(stream: Stream): void {
  const { response } = stream;
  if (!response.writableNeedDrain) response.write(': still here\n\n');
  else if (++stream.stalledHeartbeats >= stalledHeartbeatsMax) response.destroy();
}
