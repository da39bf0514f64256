/**
 * Stores photos as objects of a bucket, which has a folder for uploads and one for finished photos:
 *
 *   uploads/<account>/<photo>/<chunk>  ─► finish: read in order ─►  photos/<account>/<photo>
 *
 * A chunk is removed only when its bytes are in another object, so a process may die between any two requests.
 */
import { Buffer } from 'node:buffer';
import type { World } from '../../core/world.ts';
import { StoreUnavailable } from '../../store/store.ts';
import { photoPath, type PhotoKey, type PhotoStorage } from '../photo-storage.ts';
import type { BucketSettings } from './bucket-settings.ts';
import { openBucket, type Bucket } from './bucket.ts';
import {
  chunkName,
  sortForRemoval,
  parseChunk,
  planAppend,
  readableParts,
  type Chunk,
  type ChunkPart,
} from './upload-chunks.ts';

const nonceBytes = 8;

/**
 * Limits how often an operation lists the chunks of an upload. The operation lists them again if another request
 * removes a chunk before the operation reads it.
 */
const listAttemptsMax = 5;

const concurrentRemovalsMax = 8;

const photoObjectName = (key: PhotoKey): string => `photos/${photoPath(key)}`;
const uploadFolder = (key: PhotoKey): string => `uploads/${photoPath(key)}/`;

export const openS3Storage = (settings: BucketSettings, world: World): PhotoStorage =>
  createS3Storage({ bucket: openBucket(settings, { world }), world });

export function createS3Storage({ bucket, world }: { bucket: Bucket; world: World }): PhotoStorage {
  const chunksOf = async (key: PhotoKey): Promise<Chunk[]> =>
    (await bucket.list(uploadFolder(key))).flatMap((name) => parseChunk(name) ?? []);

  return {
    async append(key, offset, bytes) {
      const range = { start: offset, end: offset + bytes.length };
      return retryWithFreshList(async () => {
        const plan = planAppend(await chunksOf(key), range);
        if (!plan || bytes.length === 0) return { done: plan !== undefined };
        const before = await readParts(bucket, plan.merged);
        if (!before) return 'again';
        const nonce = Buffer.from(world.randomBytes(nonceBytes)).toString('hex');
        const written = plan.merged.length === 0 ? bytes : Buffer.concat([before, bytes]);
        await bucket.put(uploadFolder(key) + chunkName(plan.written, nonce), written);
        await removeChunks(bucket, plan.covered);
        return { done: true };
      });
    },
    async finish(key) {
      await retryWithFreshList(async () => {
        const chunks = await chunksOf(key);
        const parts = readableParts(chunks);
        const bytes = await readParts(bucket, parts);
        if (!bytes) return 'again';
        // If there are no bytes, the first chunk is missing. The other chunks then remain from an upload that was
        // finished or removed, so they are only removed.
        if (bytes.length > 0) await bucket.put(photoObjectName(key), bytes);
        await removeChunks(bucket, chunks);
        return { done: undefined };
      });
    },
    read: (key, range) => bucket.get(photoObjectName(key), range),
    size: (key) => bucket.size(photoObjectName(key)),
    async remove(key) {
      const names = await bucket.list(uploadFolder(key));
      await removeChunks(
        bucket,
        names.flatMap((name) => parseChunk(name) ?? []),
      );
      for (const name of names) if (!parseChunk(name)) await bucket.remove(name);
      await bucket.remove(photoObjectName(key));
    },
  };
}

/** Runs `act`, which lists chunks, and runs it again if a listed chunk was removed before `act` read it. */
async function retryWithFreshList<Result>(act: () => Promise<{ done: Result } | 'again'>): Promise<Result> {
  for (let list = 0; list < listAttemptsMax; list++) {
    const outcome = await act();
    if (outcome !== 'again') return outcome.done;
  }
  throw new StoreUnavailable('S3: other requests keep changing the upload');
}

/**
 * Reads one chunk after the other, so that memory holds only the photo and one chunk. Returns undefined if a chunk is
 * gone.
 */
async function readParts(bucket: Bucket, parts: readonly ChunkPart[]): Promise<Buffer | undefined> {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return Buffer.alloc(0);
  const all = Buffer.alloc(last.end - first.start);
  for (const { chunk, start, end } of parts) {
    const bytes = await bucket.get(chunk.name, { start: start - chunk.start, end: end - chunk.start });
    if (!bytes) return undefined;
    if (bytes.length !== end - start) throw new StoreUnavailable('S3 answered with a part of a chunk');
    all.set(bytes, start - first.start);
  }
  return all;
}

/**
 * Removes the chunks at offset 0 first, one after the other. Without these chunks, no request can mistake the other
 * chunks for the photo.
 */
async function removeChunks(bucket: Bucket, chunks: readonly Chunk[]): Promise<void> {
  const sorted = sortForRemoval(chunks);
  const atStart = sorted.filter(({ start }) => start === 0);
  for (const { name } of atStart) await bucket.remove(name);
  const rest = sorted.slice(atStart.length);
  for (let at = 0; at < rest.length; at += concurrentRemovalsMax) {
    await Promise.all(rest.slice(at, at + concurrentRemovalsMax).map(({ name }) => bucket.remove(name)));
  }
}
