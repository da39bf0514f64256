/** Compresses a body that never changes, in zlib's threads. The first request for an encoding starts the work. */
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';
import { sha256 } from '../../core/hash.ts';
import { preferredEncoding, type ContentEncoding } from './preferred-encoding.ts';

interface EncodedBody {
  bytes: Buffer;
  /** The headers that depend on the encoding. */
  headers: { ETag: string; 'Content-Encoding'?: string };
}

/**
 * Returns a function that takes the `Accept-Encoding` of a request. `brotli` is the body that the build compressed. The
 * function ignores `brotli` if decompressing it gives another body than `make`.
 */
export function createBodyEncoder(
  make: () => Buffer | string | Promise<Buffer | string>,
  { brotli }: { brotli?: Buffer | undefined } = {},
): (acceptEncoding: string | undefined) => Promise<EncodedBody> {
  // All responses share one buffer for each encoding, so that slow readers do not hold copies in memory.
  const original = memoize(async () => {
    const bytes = Buffer.from(await make());
    return { bytes, hash: sha256(bytes).slice(0, 32) };
  });
  const compressed = (encoding: keyof typeof compressors) =>
    memoize(async () => {
      const { bytes, hash } = await original();
      const given = encoding === 'br' && brotli && (await decompressesTo(bytes, brotli)) ? brotli : undefined;
      const smaller = given ?? (await compressors[encoding](bytes));
      if (smaller.length >= bytes.length) return bodies.identity();
      // The compressed body has different bytes and so needs another ETag.
      return { bytes: smaller, headers: { ...headersOf(`${hash}-${encoding}`), 'Content-Encoding': encoding } };
    });
  const bodies: Record<ContentEncoding, () => Promise<EncodedBody>> = {
    br: compressed('br'),
    gzip: compressed('gzip'),
    identity: async () => {
      const { bytes, hash } = await original();
      return { bytes, headers: headersOf(hash) };
    },
  };
  return (acceptEncoding) => bodies[preferredEncoding(acceptEncoding)]();
}

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality(bytes),
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
} satisfies Record<Exclude<ContentEncoding, 'identity'>, (bytes: Buffer) => Promise<Buffer>>;

/**
 * Returns a lower quality for a large body, since the first request for the body waits for the compression. Quality 10
 * would take 4 s for the API's reference, which has 3 MB.
 */
const brotliQuality = (bytes: Buffer): number => (bytes.length <= wellCompressedBytesMax ? 10 : 9);

const wellCompressedBytesMax = 512 * 1024;

/**
 * Returns false if the compressed bytes decompress to another body, for example since a file was changed after the
 * build.
 */
const decompressesTo = async (bytes: Buffer, compressed: Buffer): Promise<boolean> =>
  (await promisify(brotliDecompress)(compressed, { maxOutputLength: bytes.length + 1 }).catch(() => undefined))?.equals(
    bytes,
  ) ?? false;

const headersOf = (tag: string) => ({ ETag: `"${tag}"` });

/** Caches the promise of `make`. A promise that rejects is dropped, so that the next caller tries again. */
function memoize<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    if (made) return made;
    const making = make();
    making.catch(() => (made = undefined));
    return (made = making);
  };
}
