/**
 * Decompresses bodies. A body is decompressed only after it arrived whole, so that until then it takes no more memory
 * than its sender sent.
 */
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { CollectedBytes, type BytesLimit } from './collected-bytes.ts';
import type { RefusedReply } from '../route-reply.ts';

const inflaters = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

export type Encoding = keyof typeof inflaters;

export function isEncoding(name: string): name is Encoding {
  return Object.hasOwn(inflaters, name);
}

/** Limits parallel decompressions, since each may hold a window of 16 MiB. A higher number would not be faster. */
const inflationsMax = 4;
const chunkSize = 64 * 1024;

let underWay = 0;
const waiting: (() => void)[] = [];

/** Limits the decompressed size, also if the body consists of several gzip members. */
export async function inflateBody(
  encoding: Encoding,
  bytes: Buffer,
  limit: BytesLimit,
): Promise<{ ok: true; bytes: Buffer } | RefusedReply> {
  if (underWay >= inflationsMax) await new Promise<void>((resolve) => void waiting.push(resolve));
  else underWay++;
  try {
    return await inflate(encoding, bytes, limit);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay--;
  }
}

async function inflate(encoding: Encoding, bytes: Buffer, limit: BytesLimit) {
  const collected = new CollectedBytes(limit);
  const inflater = inflaters[encoding]({ chunkSize });
  inflater.end(bytes);
  try {
    for await (const piece of inflater) {
      const refusal = collected.add(piece as Buffer);
      if (refusal) return refusal;
    }
  } catch {
    return notInflatable(encoding);
  }
  return { ok: true as const, bytes: collected.bytes };
}

function notInflatable(encoding: Encoding): RefusedReply {
  return { ok: false, error: { code: 'malformed_json', detail: `The body is not what ${encoding} makes.` } };
}
