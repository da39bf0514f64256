/** Reads the event stream of a device from a bare socket: thousands of them take less memory than responses do. */
import { connect, type Socket } from 'node:net';

interface EventWatchOptions {
  url: string;
  headers: Record<string, string>;
  /** `isFirst`: the cursor that a new stream begins with, which may be that of an old change. */
  onCursor(cursor: string, isFirst: boolean): void;
  /** Called when the stream ends without `close`; `code` says how. */
  onEnd(code: string): void;
}

/** An event is shorter than this, so the rest of the text can hold a part of one. */
const partLengthMax = 200;

export class EventWatch {
  readonly #socket: Socket;
  #isClosed = false;
  #text = '';

  constructor({ url, headers, onCursor, onEnd }: EventWatchOptions) {
    const { hostname, port, host } = new URL(url);
    const lines = Object.entries({ Host: host, Accept: 'text/event-stream', ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    this.#socket = connect({ host: hostname, port: Number(port) });
    this.#socket.setEncoding('latin1');
    this.#socket.on('connect', () => this.#socket.write(`GET /api/v1/sync/events HTTP/1.1\r\n${head}\r\n`));
    let status: string | undefined;
    let isFirst = true;
    const tellCursor = (cursor: string): void => {
      onCursor(cursor, isFirst);
      isFirst = false;
    };
    this.#socket.on('data', (text: string) => {
      this.#text += text;
      status ??= /^HTTP\/1\.1 (\d+)/.exec(this.#text)?.[1];
      this.#text = takeCursors(this.#text, tellCursor);
    });
    let code: string | undefined;
    this.#socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code ?? error.message));
    this.#socket.on('close', () => {
      if (!this.#isClosed) onEnd(code ?? (status === '200' ? 'event stream ended' : `${status ?? 'no'} event stream`));
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }
}

/** Calls back for each cursor in the text and returns what may be the beginning of the next event. */
export function takeCursors(text: string, onCursor: (cursor: string) => void): string {
  let end = 0;
  for (const match of text.matchAll(/"cursor":"([\w-]*)"\}/g)) {
    onCursor(match[1] ?? '');
    end = match.index + match[0].length;
  }
  return text.slice(Math.max(end, text.length - partLengthMax));
}
