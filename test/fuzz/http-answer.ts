/**
 * Strictly parses HTTP/1.1 answers from the bytes of a connection: an answer that does not parse is a fault of the
 * server.
 */

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
  /** The server ends the connection after this answer. */
  closes: boolean;
  /** The body never ends; this is its beginning. */
  isStream: boolean;
}

/** An answer with the bytes after it, or `more` while the answer is incomplete. */
export type Parsed = { answer: RawAnswer; rest: Buffer } | 'more';

/** Parses the first answer in the bytes, without interim answers (1xx). `ended` says that no more bytes will come. */
export function parseAnswer(bytes: Buffer, { isHead, ended }: { isHead: boolean; ended: boolean }): Parsed {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return 'more';
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) ./.exec(statusLine)?.[1]);
  if (!status) throw new Error(`no status line: ${JSON.stringify(statusLine.slice(0, 200))}`);
  const after = bytes.subarray(headEnd + 4);
  if (status < 200) return parseAnswer(after, { isHead, ended });
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const isStream = headers.get('Content-Type')?.startsWith('text/event-stream') === true && !isHead;
  const closes = headers.get('Connection') === 'close';
  const answer = (body: Buffer, rest: Buffer) => ({ answer: { status, headers, body, closes, isStream }, rest });
  if (isHead || status === 204 || status === 304) return answer(Buffer.alloc(0), after);
  if (headers.get('Transfer-Encoding') === 'chunked') {
    const read = readChunks(after);
    if (isStream) return read.body.length > 0 ? answer(read.body, after.subarray(after.length)) : 'more';
    return read.rest ? answer(read.body, read.rest) : 'more';
  }
  const length = headers.get('Content-Length');
  if (length !== null) {
    return after.length < Number(length)
      ? 'more'
      : answer(after.subarray(0, Number(length)), after.subarray(Number(length)));
  }
  return ended ? answer(after, Buffer.alloc(0)) : 'more';
}

/** Returns the bytes of the complete chunks. `rest`, the bytes after the last chunk, is absent if that chunk is missing. */
function readChunks(bytes: Buffer): { body: Buffer; rest?: Buffer } {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (Number.isNaN(size) || bytes.length < end + 2) return { body: Buffer.concat(chunks) };
    if (size === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(end + 2) };
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
