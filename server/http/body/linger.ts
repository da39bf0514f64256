/**
 * Refuses a request while its body is still arriving. The client gets the whole response at once, and the connection
 * closes a little later. Closing at once would reset the connection, since data is still arriving, and the client might
 * never see the response.
 */
import type { Response } from 'express';

const lingerMsMax = 2_000;

export function respondAndLinger(res: Response, body: string): void {
  const { req } = res;
  res.set({ Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) });
  res.write(body);
  const end = () => void res.end();
  const timer = setTimeout(end, lingerMsMax);
  res.once('close', () => clearTimeout(timer));
  req.once('end', end);
  req.resume();
}
