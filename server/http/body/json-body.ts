/** Reads the body as JSON, or returns a refusal. If there is no body, returns `{}`. */
import type { Request, Response } from 'express';
import type { BodyLimits } from './collected-bytes.ts';
import { inflateBody, isBodyCompression } from './inflate.ts';
import { describeExceededLimit } from './json-scan.ts';
import { contentEncodingOf, hasBody, receiveBody, type BytesResult } from './receive-body.ts';
import type { RefusedReply } from '../route-reply.ts';

type JsonBodyResult = { ok: true; body: unknown } | RefusedReply;

interface JsonBodyLimits extends BodyLimits {
  /** False on public routes, since a small compressed body can expand to a large one. */
  takesCompressed: boolean;
  /** True if the body is JSON in zlib's format, whatever the headers say. */
  isDeflated?: boolean;
}

/**
 * Refuses with `unsupported_media_type`, `payload_too_large` or `malformed_json`. Does not check the route's schema.
 */
export async function readJsonBody(req: Request, res: Response, limits: JsonBodyLimits): Promise<JsonBodyResult> {
  if (!hasBody(req)) return { ok: true, body: {} };
  const type = req.get('Content-Type');
  if (!limits.isDeflated && !isJsonType(type)) {
    const detail = `Send the body as application/json in UTF-8, not as ${type ?? 'an unnamed type'}.`;
    return { ok: false, error: { code: 'unsupported_media_type', detail } };
  }
  const encoding = limits.isDeflated ? 'deflate' : contentEncodingOf(req);
  if (encoding !== undefined && !(limits.takesCompressed && isBodyCompression(encoding)))
    return encodingRefusal(limits);
  const received = await receiveBody(req, res, limits);
  if (!received.ok) return received;
  const read: BytesResult = encoding === undefined ? received : await inflateBody(encoding, received.bytes, limits);
  return read.ok ? parseJson(read.bytes) : read;
}

/**
 * JSON is always UTF-8 (RFC 8259, 8.1), so no other charset is allowed. Parameters other than the charset are ignored.
 */
function isJsonType(header: string | undefined): boolean {
  const [type, ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const named = parameters.filter((parameter) => parameter !== '').map((parameter) => parameter.split('='));
  const isUtf8Text = ([name, value]: string[]) => name !== 'charset' || value?.replace(/^"(.*)"$/, '$1') === 'utf-8';
  return type === 'application/json' && named.every((parameter) => parameter.length === 2 && isUtf8Text(parameter));
}

function encodingRefusal({ takesCompressed }: JsonBodyLimits): RefusedReply {
  const detail = takesCompressed
    ? 'A body may be compressed once, with Content-Encoding gzip, deflate or br.'
    : 'The body of this route is sent as it stands, without Content-Encoding.';
  return { ok: false, error: { code: 'unsupported_media_type', detail } };
}

/** Throws on bytes that are not UTF-8, and drops a byte order mark. */
const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): JsonBodyResult {
  if (bytes.length === 0) return { ok: true, body: {} };
  const excess = describeExceededLimit(bytes);
  if (excess !== undefined) return malformedJsonRefusal(`The body has ${excess}.`);
  try {
    return { ok: true, body: JSON.parse(utf8Decoder.decode(bytes)) as unknown };
  } catch {
    return malformedJsonRefusal('The body is not JSON in UTF-8.');
  }
}

function malformedJsonRefusal(detail: string): RefusedReply {
  return { ok: false, error: { code: 'malformed_json', detail } };
}
