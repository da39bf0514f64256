/** Receives the bytes of a body. */
import type { Request, Response } from 'express';
import { bodyTooLargeRefusal, CollectedBytes, type BodyLimits } from './collected-bytes.ts';
import type { RefusedReply } from '../route-reply.ts';

export type BytesResult = { ok: true; bytes: Buffer } | RefusedReply;

export function hasBody(req: Request): boolean {
  const length = req.get('Content-Length');
  return req.get('Transfer-Encoding') !== undefined || (length !== undefined && Number(length) !== 0);
}

/** Returns undefined if the body is not compressed. */
export function contentEncodingOf(req: Request): string | undefined {
  const encoding = (req.get('Content-Encoding') ?? '').trim().toLowerCase();
  return encoding === '' || encoding === 'identity' ? undefined : encoding;
}

/** Sends `100 Continue` if the client waits for it, and receives the body. Refuses with `payload_too_large`. */
export async function receiveBody(
  req: Request,
  res: Response,
  limits: BodyLimits,
  { takesBrokenBody = false } = {},
): Promise<BytesResult> {
  if (Number(req.get('Content-Length') ?? 0) > limits.bytesMax) return bodyTooLargeRefusal(limits.bytesMax);
  if (/^100-continue$/i.test(req.get('Expect') ?? '')) {
    res.removeHeader('Connection');
    res.writeContinue();
  }
  return collectBody(req, limits, takesBrokenBody);
}

/** If the body becomes too large, resolves with a refusal at once and stops reading. */
function collectBody(req: Request, limits: BodyLimits, takesBrokenBody: boolean): Promise<BytesResult> {
  return new Promise((resolve) => {
    const collected = new CollectedBytes(limits);
    const settle = (result: BytesResult) => {
      req.off('data', take).off('end', finish).off('close', leave);
      resolve(result);
    };
    const take = (piece: Buffer) => {
      const refusal = collected.add(piece);
      if (refusal) settle(refusal);
    };
    const finish = () => settle({ ok: true, bytes: collected.bytes });
    const leave = () => settle(takesBrokenBody ? { ok: true, bytes: collected.bytes } : incompleteBodyRefusal);
    if (req.destroyed) return leave();
    req.on('data', take).on('end', finish).on('close', leave);
  });
}

/** The client has closed the connection, so only the log shows this refusal. */
const incompleteBodyRefusal: RefusedReply = {
  ok: false,
  error: { code: 'malformed_json', detail: 'The body did not arrive whole.' },
};
