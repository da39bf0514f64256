/** One reader's stream of cursors. A cursor is a hint that carries no data, so a slow reader gets only the newest one. */
import type { ServerResponse } from 'node:http';
import type { TokenKey } from '../store/credentials/credentials.ts';
import { cursorText } from './cursor.ts';

export interface StreamReader extends TokenKey {
  /** Absent for an API key. */
  deviceId?: string | null;
}

export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** A reader that took nothing for so many heartbeats is gone. */
const stalledHeartbeatsMax = 4;

export class EventStream {
  readonly reader: StreamReader;
  /** The account's count of revocations when the reader's token was last looked up. */
  revocations = -1;
  readonly #response: ServerResponse;
  /** The version that the reader was told last. */
  #told = -1;
  /** The newest version while the reader is too slow to be told. */
  #waiting: number | undefined;
  #stalledHeartbeats = 0;

  constructor(reader: StreamReader, response: ServerResponse) {
    this.reader = reader;
    this.#response = response;
    response.on('drain', () => {
      this.#stalledHeartbeats = 0;
      if (this.#waiting !== undefined) this.#send(this.#waiting);
    });
    response.writeHead(200, eventStreamHeaders);
    response.flushHeaders();
  }

  /** Sends nothing where the reader was told of this version or of a later one. */
  tell(version: number): void {
    if (version > this.#told) this.#send(version);
  }

  /** A comment tells the reader that the stream lives. A reader that takes none is let go. */
  beat(): void {
    if (!this.#response.writableNeedDrain) this.#response.write(': still here\n\n');
    else if (++this.#stalledHeartbeats >= stalledHeartbeatsMax) this.#response.destroy();
  }

  end(): void {
    this.#response.end();
  }

  #send(version: number): void {
    if (this.#response.writableNeedDrain) {
      this.#waiting = version;
      return;
    }
    this.#waiting = undefined;
    this.#told = version;
    this.#response.write(`event: cursor\ndata: ${JSON.stringify({ cursor: cursorText({ version }) })}\n\n`);
  }
}
