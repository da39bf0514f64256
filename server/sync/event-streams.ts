/** Holds the open event streams of this process by account, and limits their number. */
import type { ServerResponse } from 'node:http';
import { eventStreamsPerDeviceMax, eventStreamsPerKeyMax } from '../../shared/schema/limits.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { Metrics } from '../observe/metrics.ts';
import { EventStream, type StreamReader } from './event-stream.ts';

interface EventStreamsOptions {
  streamsPerAccountMax: number;
  metrics: Pick<Metrics, 'eventStreams'> | undefined;
}

export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #byAccount = new Map<string, Set<EventStream>>();

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  get accountIds(): Iterable<string> {
    return this.#byAccount.keys();
  }

  hasStreams(accountId: string): boolean {
    return this.#byAccount.has(accountId);
  }

  streamsOfAccount(accountId: string): Iterable<EventStream> {
    return this.#byAccount.get(accountId) ?? [];
  }

  /** Opens a stream on the response. Refuses if the reader's token or account has too many streams already. */
  open(reader: StreamReader, response: ServerResponse): { ok: true; stream: EventStream } | RefusedRequest {
    const { accountId } = reader;
    const streams = this.#byAccount.get(accountId) ?? new Set();
    const refusal = this.#limitRefusal(reader, streams);
    if (refusal) return refusal;
    const stream = new EventStream(reader, response);
    this.#byAccount.set(accountId, streams.add(stream));
    this.#options.metrics?.eventStreams.inc();
    response.on('close', () => {
      this.#options.metrics?.eventStreams.dec();
      this.#remove(stream);
    });
    return { ok: true, stream };
  }

  end(stream: EventStream): void {
    this.#remove(stream);
    stream.end();
  }

  endAll(): void {
    for (const streams of this.#byAccount.values()) for (const stream of streams) stream.end();
  }

  sendHeartbeats(): void {
    for (const streams of this.#byAccount.values()) for (const stream of streams) stream.sendHeartbeat();
  }

  #remove(stream: EventStream): void {
    const { accountId } = stream.reader;
    const streams = this.#byAccount.get(accountId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#byAccount.delete(accountId);
  }

  #limitRefusal({ tokenHash, deviceId }: StreamReader, streams: Set<EventStream>): RefusedRequest | undefined {
    const { streamsPerAccountMax } = this.#options;
    if (streams.size >= streamsPerAccountMax) return tooManyStreamsRefusal('account', streamsPerAccountMax);
    let tokenStreams = 0;
    for (const { reader } of streams) if (reader.tokenHash === tokenHash) tokenStreams++;
    const limit = deviceId ? eventStreamsPerDeviceMax : eventStreamsPerKeyMax;
    return tokenStreams >= limit ? tooManyStreamsRefusal('token', limit) : undefined;
  }
}

/** A refused reader should wait this long. By then, other readers have probably closed their streams. */
const retryAfterSecs = 60;

function tooManyStreamsRefusal(owner: 'account' | 'token', limit: number): RefusedRequest {
  const detail = `The ${owner} has ${limit} event streams open, as many as it may.`;
  return {
    ok: false,
    error: { code: 'too_many_streams', detail, members: { limit, retry_after_secs: retryAfterSecs } },
  };
}
