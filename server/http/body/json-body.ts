/** Reads the body as a JSON object, or returns a refusal. An absent body counts as `{}`. */
import type { Request, Response } from 'express';
import { bodyTooLarge, CollectedBytes, type BytesLimit } from './collected-bytes.ts';
import { inflateBody, isEncoding } from './inflate.ts';
import { describeExcess } from './json-scan.ts';
import type { RefusedReply } from '../route-reply.ts';

type JsonBody = { ok: true; body: unknown } | RefusedReply;
type Bytes = { ok: true; bytes: Buffer } | RefusedReply;

export interface BodyLimit extends BytesLimit {
  /** Compressed bodies are for authenticated senders alone, since a few bytes can inflate to many. */
  takesCompressed: boolean;
}

/**
 * Refuses with `unsupported_media_type`, `payload_too_large` or `malformed_json`. The route's schema checks the
 * content.
 */
export async function readJsonBody(req: Request, res: Response, limit: BodyLimit): Promise<JsonBody> {
  if (!hasBody(req)) return { ok: true, body: {} };
  const type = req.get('Content-Type');
  if (!isJsonType(type)) {
    const detail = `Send the body as application/json in UTF-8, not as ${type ?? 'an unnamed type'}.`;
    return { ok: false, error: { code: 'unsupported_media_type', detail } };
  }
  const encoding = encodingOf(req);
  if (encoding !== undefined && !(limit.takesCompressed && isEncoding(encoding))) return encodingRefused(limit);
  if (Number(req.get('Content-Length') ?? 0) > limit.bytesMax) return bodyTooLarge(limit.bytesMax);
  if (/^100-continue$/i.test(req.get('Expect') ?? '')) {
    res.removeHeader('Connection');
    res.writeContinue();
  }
  const received = await receiveBody(req, limit);
  if (!received.ok) return received;
  const read: Bytes = encoding === undefined ? received : await inflateBody(encoding, received.bytes, limit);
  return read.ok ? parseJson(read.bytes) : read;
}

function hasBody(req: Request): boolean {
  const length = req.get('Content-Length');
  return req.get('Transfer-Encoding') !== undefined || (length !== undefined && Number(length) !== 0);
}

/** JSON is always UTF-8 (RFC 8259, 8.1), so the charset utf-8 is allowed but needless. Other parameters are ignored. */
function isJsonType(header: string | undefined): boolean {
  const [type, ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const named = parameters.filter((parameter) => parameter !== '').map((parameter) => parameter.split('='));
  const isUtf8Text = ([name, value]: string[]) => name !== 'charset' || value?.replace(/^"(.*)"$/, '$1') === 'utf-8';
  return type === 'application/json' && named.every((parameter) => parameter.length === 2 && isUtf8Text(parameter));
}

/** Returns the content encoding of the body; undefined if the body is not compressed. */
function encodingOf(req: Request): string | undefined {
  const encoding = (req.get('Content-Encoding') ?? '').trim().toLowerCase();
  return encoding === '' || encoding === 'identity' ? undefined : encoding;
}

function encodingRefused({ takesCompressed }: BodyLimit): RefusedReply {
  const detail = takesCompressed
    ? 'A body may be compressed once, with Content-Encoding gzip, deflate or br.'
    : 'The body of this route is sent as it stands, without Content-Encoding.';
  return { ok: false, error: { code: 'unsupported_media_type', detail } };
}

/** Resolves as soon as the body is refused. The rest of the body is not read. */
function receiveBody(req: Request, limit: BytesLimit): Promise<Bytes> {
  return new Promise((resolve) => {
    const collected = new CollectedBytes(limit);
    const settle = (result: Bytes) => {
      req.off('data', take).off('end', finish).off('close', leave);
      resolve(result);
    };
    const take = (piece: Buffer) => {
      const refusal = collected.add(piece);
      if (refusal) settle(refusal);
    };
    const finish = () => settle({ ok: true, bytes: collected.bytes });
    const leave = () => settle(malformedJson('The body did not arrive whole.'));
    if (req.destroyed) return leave();
    req.on('data', take).on('end', finish).on('close', leave);
  });
}

/** Drops a byte order mark and throws on bytes that are not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): JsonBody {
  if (bytes.length === 0) return { ok: true, body: {} };
  const excess = describeExcess(bytes);
  if (excess !== undefined) return malformedJson(`The body has ${excess}.`);
  try {
    return { ok: true, body: JSON.parse(utf8.decode(bytes)) as unknown };
  } catch {
    return malformedJson('The body is not JSON in UTF-8.');
  }
}

function malformedJson(detail: string): RefusedReply {
  return { ok: false, error: { code: 'malformed_json', detail } };
}
