/**
 * Sends a refusal while the body of the request is still arriving. The connection stays open for a moment after the
 * response. If the connection closed at once, the arriving data would cause a TCP reset, and the client might lose the
 * response.
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
