/** Reads a body as bytes, without parsing or decompressing the body. */
import type { Request, Response } from 'express';
import type { Bytes } from '../../../shared/relay/byte-reader.ts';
import type { RefusedReply } from '../route-reply.ts';
import type { BodyLimits } from './collected-bytes.ts';
import { contentEncodingOf, receiveBody } from './receive-body.ts';

interface BinaryBodyOptions extends BodyLimits {
  /** The media type that the route takes. */
  type: string;
  /** True if an incomplete body counts as received, with the bytes that arrived. False if it is refused. */
  takesBrokenBody: boolean;
}

/** Refuses with `unsupported_media_type` or `payload_too_large`. */
export async function readBinaryBody(
  req: Request,
  res: Response,
  { type, takesBrokenBody, ...limits }: BinaryBodyOptions,
): Promise<{ ok: true; value: Bytes } | RefusedReply> {
  const given = req.get('Content-Type');
  const [name] = (given ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (name !== type || contentEncodingOf(req) !== undefined) {
    const detail = `Send the body as ${type} and without Content-Encoding, not as ${given ?? 'an unnamed type'}.`;
    return { ok: false, error: { code: 'unsupported_media_type', detail } };
  }
  const received = await receiveBody(req, res, limits, { takesBrokenBody });
  return received.ok ? { ok: true, value: Uint8Array.from(received.bytes) } : received;
}
