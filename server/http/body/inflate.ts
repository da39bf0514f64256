/**
 * Decompresses bodies. Decompression starts when the whole body has arrived, so that a slow client cannot hold the
 * memory of the decompressed body.
 */
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { CollectedBytes, type BodyLimits } from './collected-bytes.ts';
import type { RefusedReply } from '../route-reply.ts';

const inflaters = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

export type BodyCompression = keyof typeof inflaters;

export function isBodyCompression(name: string): name is BodyCompression {
  return Object.hasOwn(inflaters, name);
}

/**
 * One decompression may take a buffer of 16 MiB. Node has 4 threads to decompress in, so a fifth parallel decompression
 * would take memory and save no time.
 */
const inflationsMax = 4;
const chunkBytes = 64 * 1024;

let inflationCount = 0;
const waitingInflations: (() => void)[] = [];

/** Decompresses the body. The `limits` apply to the decompressed bytes. */
export async function inflateBody(
  encoding: BodyCompression,
  bytes: Buffer,
  limits: BodyLimits,
): Promise<{ ok: true; bytes: Buffer } | RefusedReply> {
  if (inflationCount >= inflationsMax) await new Promise<void>((resolve) => void waitingInflations.push(resolve));
  else inflationCount++;
  try {
    return await inflate(encoding, bytes, limits);
  } finally {
    const next = waitingInflations.shift();
    if (next) next();
    else inflationCount--;
  }
}

async function inflate(encoding: BodyCompression, bytes: Buffer, limits: BodyLimits) {
  const collected = new CollectedBytes(limits);
  const inflater = inflaters[encoding]({ chunkSize: chunkBytes });
  inflater.end(bytes);
  try {
    for await (const piece of inflater) {
      const refusal = collected.add(piece as Buffer);
      if (refusal) return refusal;
    }
  } catch {
    return invalidCompressionRefusal(encoding);
  }
  return { ok: true as const, bytes: collected.bytes };
}

function invalidCompressionRefusal(encoding: BodyCompression): RefusedReply {
  return { ok: false, error: { code: 'malformed_json', detail: `The body is not what ${encoding} makes.` } };
}
