/**
 * Compresses the body of one response, a large body in zlib's threads. At these compression levels, a page of 500 runs
 * takes a few milliseconds. web/encoded-bodies.ts compresses a body that never changes, once and at higher levels.
 */
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { preferredEncoding, type ContentEncoding } from '../web/preferred-encoding.ts';

/** A smaller response fits into one packet without compression. */
const compressedBytesMin = 1024;

/** Returns the body unchanged, with `identity`, if the client accepts no compression or compression saves no bytes. */
export async function compressBody(
  bytes: Buffer,
  acceptEncoding: string | undefined,
): Promise<{ bytes: Buffer; encoding: ContentEncoding }> {
  const encoding = bytes.length < compressedBytesMin ? 'identity' : preferredEncoding(acceptEncoding);
  if (encoding === 'identity') return { bytes, encoding };
  const compressor = compressors[encoding];
  const smaller =
    bytes.length <= mainThreadBytesMax ? compressor.inMainThread(bytes) : await compressor.inThread(bytes);
  return smaller.length < bytes.length ? { bytes: smaller, encoding } : { bytes, encoding: 'identity' };
}

/** Compressing a body of this size takes less than 0.2 ms, half of the cost of handing it to one of zlib's threads. */
const mainThreadBytesMax = 16 * 1024;

interface Compressor {
  inMainThread(bytes: Buffer): Buffer;
  inThread(bytes: Buffer): Promise<Buffer>;
}

const brotliOptions = ({ length }: Buffer) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});
const gzipOptions = { level: 3 };

const compressors: Record<Exclude<ContentEncoding, 'identity'>, Compressor> = {
  br: {
    inMainThread: (bytes) => brotliCompressSync(bytes, brotliOptions(bytes)),
    inThread: (bytes) => promisify(brotliCompress)(bytes, brotliOptions(bytes)),
  },
  gzip: {
    inMainThread: (bytes) => gzipSync(bytes, gzipOptions),
    inThread: (bytes) => promisify(gzip)(bytes, gzipOptions),
  },
};
