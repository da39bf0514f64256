/** One reader's stream of cursors. A slow reader gets only the newest cursor, since a cursor is a hint without data. */
import type { ServerResponse } from 'node:http';
import type { TokenKey } from '../store/credentials/credentials.ts';
import { cursorText } from './cursor.ts';

export interface StreamReader extends TokenKey {
  /** Absent or null for an API key. */
  deviceId?: string | null;
}

export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** A reader that takes no bytes for this many heartbeats is considered gone. */
const stalledHeartbeatsMax = 4;

export class EventStream {
  readonly reader: StreamReader;
  /** The account's count of revocations when the reader's token was last looked up. */
  revocations = -1;
  readonly #response: ServerResponse;
  /** The version that was sent last. */
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

  /** Sends the version, unless this or a later version was sent before. */
  send(version: number): void {
    if (version > this.#sentVersion) this.#write(version);
  }

  /** Sends a comment that keeps the stream alive, or closes a stream whose reader takes no bytes. */
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
    this.#response.write(`event: cursor\ndata: ${JSON.stringify({ cursor: cursorText({ version }) })}\n\n`);
  }
}
