/**
 * An answer to a request whose body is still arriving, and too large to be waited for. The client has the whole answer at
 * once. The connection closes a little later: closed at once, with data on its way, it would be reset, and the client
 * might never see the answer.
 */
import type { Response } from 'express';

const lingerMsMax = 2_000;

export function answerAndLinger(res: Response, body: string): void {
  const { req } = res;
  res.set({ Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) });
  res.write(body);
  const end = () => void res.end();
  const impatience = setTimeout(end, lingerMsMax);
  res.once('close', () => clearTimeout(impatience));
  req.once('end', end);
  req.resume();
}
