/**
 * `GET /sync/events`: the newest cursor at once and after each change, as server-sent events. Cursors are hints that carry no
 * data, so that a slow reader only ever gets the newest one.
 *
 *   commit ─► poke ─┐
 *   slow poll ──────┴─► newest version of the account ─► each of its streams, once a turn
 */
import type { ServerResponse } from 'node:http';
import { StoreUnavailable, type Store } from '../store/store.ts';
import { cursorText } from './cursor.ts';

export interface EventFeed {
  /** Takes over the response. */
  open(accountId: string, response: ServerResponse): Promise<void>;
  /** Ends every stream; a client connects again elsewhere. */
  close(): void;
}

export interface EventFeedOptions {
  /** Pokes may be lost, and other processes on an embedded database send none. */
  pollMs?: number;
  /** Less than the 20 s that the contract allows, and than the idle timeouts of most proxies. */
  heartbeatMs?: number;
}

/** A reader that took nothing for so many heartbeats is gone. */
const stalledHeartbeatsMax = 4;

export function createEventFeed(store: Store, { pollMs = 5_000, heartbeatMs = 15_000 }: EventFeedOptions): EventFeed {
  const streamsOf = new Map<string, Set<Stream>>();
  const poked = new Map<string, number>();

  const tellPoked = () => {
    for (const [accountId, version] of poked) {
      for (const stream of streamsOf.get(accountId) ?? []) if (version > stream.told) tell(stream, version);
    }
    poked.clear();
  };
  const forget = store.onCommit(({ accountId, version }) => {
    if (!streamsOf.has(accountId)) return;
    if (poked.size === 0) setImmediate(tellPoked);
    poked.set(accountId, Math.max(version, poked.get(accountId) ?? 0));
  });

  const poll = async (): Promise<void> => {
    for (const [accountId, streams] of streamsOf) {
      const account = await store.account(accountId).catch(unlessUnavailable);
      for (const stream of streams) if (account && account.version !== stream.told) tell(stream, account.version);
    }
    if (!closed) pollTimer = setTimeout(poll, pollMs);
  };
  const beat = () => {
    for (const streams of streamsOf.values()) for (const stream of streams) heartbeat(stream);
  };
  let closed = false;
  let pollTimer = setTimeout(poll, pollMs);
  const beatTimer = setInterval(beat, heartbeatMs);

  return {
    async open(accountId, response) {
      const stream: Stream = { response, told: -1, waiting: undefined, stalledHeartbeats: 0 };
      const streams = streamsOf.get(accountId) ?? new Set();
      streamsOf.set(accountId, streams.add(stream));
      response.on('close', () => {
        streams.delete(stream);
        if (streams.size === 0 && streamsOf.get(accountId) === streams) streamsOf.delete(accountId);
      });
      response.on('drain', () => {
        stream.stalledHeartbeats = 0;
        if (stream.waiting !== undefined) tell(stream, stream.waiting);
      });
      response.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      });
      response.flushHeaders();
      const account = await store.account(accountId).catch(unlessUnavailable);
      if (account && account.version > stream.told) tell(stream, account.version);
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

/** A stream outlives an outage, and hears of changes afterwards. */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error;
}

interface Stream {
  response: ServerResponse;
  /** The version that the reader was told last. */
  told: number;
  /** The newest version while the reader is too slow to be told. */
  waiting: number | undefined;
  stalledHeartbeats: number;
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
