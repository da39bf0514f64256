/** The body as a JSON object, or why it is none. An absent body stands for `{}`. */
import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { RefusedReply } from './route.ts';

type JsonBody = { ok: true; body: unknown } | RefusedReply;

/** Refused with `unsupported_media_type`, `payload_too_large` or `malformed_json`; what it holds is checked by the route's schema. */
export async function readJsonBody(req: Request, res: Response, bytesMax: number): Promise<JsonBody> {
  if (!hasBody(req)) return { ok: true, body: {} };
  const type = req.get('Content-Type');
  if (!isJsonType(type)) {
    const detail = `Send the body as application/json in UTF-8, not as ${type ?? 'an unnamed type'}.`;
    return { ok: false, error: { code: 'unsupported_media_type', detail } };
  }
  if (Number(req.get('Content-Length') ?? 0) > bytesMax) return tooLarge(bytesMax);
  if (/^100-continue$/i.test(req.get('Expect') ?? '')) {
    res.removeHeader('Connection');
    res.writeContinue();
  }
  try {
    const parsed = await Promise.race([parse(parserOf(bytesMax), req, res), exceeds(req, bytesMax)]);
    if (parsed === 'too large') return tooLarge(bytesMax);
  } catch (error) {
    return refusalOf(error, bytesMax);
  }
  return { ok: true, body: req.body as unknown };
}

function hasBody(req: Request): boolean {
  const length = req.get('Content-Length');
  return req.get('Transfer-Encoding') !== undefined || (length !== undefined && Number(length) !== 0);
}

/** JSON is UTF-8 (RFC 8259, 8.1); a charset that says so is superfluous but common, and other parameters say nothing. */
function isJsonType(header: string | undefined): boolean {
  const [type, ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const named = parameters.filter((parameter) => parameter !== '').map((parameter) => parameter.split('='));
  const isUtf8Text = ([name, value]: string[]) => name !== 'charset' || value?.replace(/^"(.*)"$/, '$1') === 'utf-8';
  return type === 'application/json' && named.every((parameter) => parameter.length === 2 && isUtf8Text(parameter));
}

/** Says so while the body still arrives: the parser would first wait for its end. */
function exceeds(req: Request, bytesMax: number): Promise<'too large'> {
  return new Promise((resolve) => {
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) resolve('too large');
    });
  });
}

const parsers = new Map<number, RequestHandler>();

function parserOf(bytesMax: number): RequestHandler {
  const known = parsers.get(bytesMax);
  if (known) return known;
  // What is not UTF-8 would be replaced by U+FFFD without a word.
  const verify = (_req: unknown, _res: unknown, bytes: Buffer) => {
    if (!isUtf8(bytes)) throw new NotUtf8();
  };
  const made = express.json({ limit: bytesMax, strict: false, type: () => true, verify });
  parsers.set(bytesMax, made);
  return made;
}

class NotUtf8 extends Error {
  type = 'entity.not.utf8';
}

function parse(parser: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void parser(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
}

/** What body-parser says, in the words of the contract. Its messages quote the body, so they stay here. */
function refusalOf(error: unknown, bytesMax: number): RefusedReply {
  const type = String((error as { type?: unknown }).type);
  if (type === 'entity.too.large') return tooLarge(bytesMax);
  if (type === 'encoding.unsupported') {
    return { ok: false, error: { code: 'unsupported_media_type', detail: 'The Content-Encoding is not supported.' } };
  }
  return { ok: false, error: { code: 'malformed_json', detail: 'The body is not JSON in UTF-8.' } };
}

function tooLarge(bytesMax: number): RefusedReply {
  const detail = `The body may have ${bytesMax} bytes.`;
  return { ok: false, error: { code: 'payload_too_large', detail, members: { bytes_max: bytesMax } } };
}
