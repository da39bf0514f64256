/**
 * Sends cursors to one reader as server-sent events. A cursor only says that a pull would find changes, so a slow
 * reader gets only the newest cursor.
 */
import type { ServerResponse } from 'node:http';
import type { Caller } from '../core/caller.ts';
import { formatCursor } from './cursor.ts';

export type StreamReader = Pick<Caller, 'accountId' | 'tokenHash' | 'deviceId'>;

export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** The stream closes when its reader takes no bytes for this many heartbeats. */
const stalledHeartbeatsMax = 4;

export class EventStream {
  readonly reader: StreamReader;
  /** The account's number of revocations at the last lookup of the reader's token. */
  checkedRevocations = -1;
  readonly #response: ServerResponse;
  #sentVersion = -1;
  /** The newest version that waits for a slow reader. */
  #pendingVersion: number | undefined;
  #stalledHeartbeats = 0;

  constructor(reader: StreamReader, response: ServerResponse) {
    this.reader = reader;
    this.#response = response;
    response.on('drain', () => {
      this.#stalledHeartbeats = 0;
      if (this.#pendingVersion !== undefined) this.#write(this.#pendingVersion);
    });
    response.writeHead(200, eventStreamHeaders);
    response.flushHeaders();
  }

  /** Sends the version as a cursor. Returns false if the stream has sent this or a later version. */
  send(version: number): boolean {
    const isNew = version > this.#sentVersion;
    if (isNew) this.#write(version);
    return isNew;
  }

  /** Sends a comment, which keeps proxies from closing the stream, or closes a stream whose reader takes no bytes. */
  sendHeartbeat(): void {
    if (!this.#response.writableNeedDrain) this.#response.write(': still here\n\n');
    else if (++this.#stalledHeartbeats >= stalledHeartbeatsMax) this.#response.destroy();
  }

  end(): void {
    this.#response.end();
  }

  #write(version: number): void {
    if (this.#response.writableNeedDrain) {
      this.#pendingVersion = version;
      return;
    }
    this.#pendingVersion = undefined;
    this.#sentVersion = version;
    this.#response.write(`event: cursor\ndata: ${JSON.stringify({ cursor: formatCursor({ version }) })}\n\n`);
  }
}
