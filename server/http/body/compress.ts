/**
 * Compresses a response that is made for one request, in zlib's threads. The levels cost a few milliseconds for a page of
 * 500 runs. A body that never changes is compressed once and better (web/encoded-bodies.ts).
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { preferredEncoding, type ContentEncoding } from '../web/preferred-encoding.ts';

/** A smaller response fits into one packet anyway. */
const compressedBytesMin = 1024;

/** Returns the body as it is, under `identity`, if the client accepts no compression or compression makes it no smaller. */
export async function compressBody(
  bytes: Buffer,
  acceptEncoding: string | undefined,
): Promise<{ bytes: Buffer; encoding: ContentEncoding }> {
  const encoding = bytes.length < compressedBytesMin ? 'identity' : preferredEncoding(acceptEncoding);
  if (encoding === 'identity') return { bytes, encoding };
  const smaller = await compressors[encoding](bytes);
  return smaller.length < bytes.length ? { bytes: smaller, encoding } : { bytes, encoding: 'identity' };
}

const compressors: Record<Exclude<ContentEncoding, 'identity'>, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 3 }),
};
