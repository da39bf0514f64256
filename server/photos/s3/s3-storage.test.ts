/** Processes that die between any two requests to the bucket, or do their work between those of another process. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startS3Server, type S3Server } from '../../../test/s3/s3-server.ts';
import { systemWorld } from '../../core/world.ts';
import { StoreUnavailable } from '../../store/store.ts';
import type { PhotoStorage } from '../photo-storage.ts';
import { openBucket, type Bucket } from './bucket.ts';
import { createS3Storage } from './s3-storage.ts';

const key = { accountId: '0192a4c0-0000-7000-8000-000000000001', id: 'ab'.repeat(32) };
const upload = `some/folder/uploads/${key.accountId}/${key.id}/`;
const photo = `some/folder/photos/${key.accountId}/${key.id}`;
const text = 'abcdefghijklmnopqrstuvwxyz0123';
/**
 * The pieces up to 20 are merged into one chunk. The last two stay, since each is less than half of the one before it.
 */
const ends = [5, 6, 7, 8, 20, 28, 30];

let server: S3Server;
beforeAll(async () => void (server = await startS3Server({ pageKeysMax: 2 })));
afterAll(() => server.close());
beforeEach(() => server.objects.clear());

const bytes = (given: string) => new TextEncoder().encode(given);
const storageOf = (bucket: Bucket) => createS3Storage({ bucket, world: systemWorld });
const rightBucket = () => openBucket(server.settings, { world: systemWorld });
const keys = () => [...server.objects.keys()];
const photoText = () => server.objects.get(photo)?.toString();

/** Calls `before` and `after` with the number of each call of the bucket. */
function watched(
  bucket: Bucket,
  { before, after = () => {} }: { before: (call: number) => Promise<void> | void; after?: (call: number) => void },
): Bucket {
  let calls = 0;
  const watch =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const call = ++calls;
      await before(call);
      const result = await method(...args);
      after(call);
      return result;
    };
  return {
    put: watch(bucket.put),
    get: watch(bucket.get),
    size: watch(bucket.size),
    list: watch(bucket.list),
    remove: watch(bucket.remove),
  };
}

class Died extends Error {}

/** The bucket of a process that dies at the call with this number. */
function dyingBucket(point: number, dies: 'before' | 'after'): { bucket: Bucket; hasDied: () => boolean } {
  let hasDied = false;
  const die = () => {
    hasDied = true;
    throw new Died();
  };
  const bucket = watched(rightBucket(), {
    before: (call) => (call > point || (call === point && dies === 'before') ? die() : undefined),
    after: (call) => (call === point ? die() : undefined),
  });
  return { bucket, hasDied: () => hasDied };
}

/** Uploads the text in pieces, of which small ones are merged. */
async function uploadText(storage: PhotoStorage, onAcknowledged: (end: number) => void = () => {}): Promise<void> {
  for (const [index, end] of ends.entries()) {
    const start = ends[index - 1] ?? 0;
    expect(await storage.append(key, start, bytes(text.slice(start, end)))).toBe(true);
    onAcknowledged(end);
  }
}

test.each(['before', 'after'] as const)(
  '[PHOTO-64] an upload whose process dies %s any request goes on from what was acknowledged, with other bounds',
  async (dies) => {
    for (let point = 1; ; point++) {
      server.objects.clear();
      const { bucket, hasDied } = dyingBucket(point, dies);
      let acknowledged = 0;
      const dying = storageOf(bucket);
      await uploadText(dying, (end) => (acknowledged = end))
        .then(() => dying.finish(key))
        .catch((error: unknown) => expect(error).toBeInstanceOf(Died));
      const storage = storageOf(rightBucket());
      if (acknowledged < text.length) {
        expect(await storage.append(key, acknowledged, bytes(text.slice(acknowledged, -2)))).toBe(true);
        expect(await storage.append(key, text.length - 2, bytes(text.slice(-2)))).toBe(true);
      }
      await storage.finish(key);
      expect({ point, photo: photoText() }).toEqual({ point, photo: text });
      await storage.finish(key);
      expect(photoText()).toBe(text);
      expect(keys()).toEqual([photo]);
      await storage.remove(key);
      expect(keys()).toEqual([]);
      if (!hasDied()) break;
    }
  },
);

test.each(['before', 'after'] as const)(
  '[PHOTO-64] [PHOTO-65] a photo whose process dies %s any request of its removal is removed by the next',
  async (dies) => {
    for (let point = 1; ; point++) {
      server.objects.clear();
      const storage = storageOf(rightBucket());
      await uploadText(storage);
      await storage.finish(key);
      await uploadText(storage);
      const { bucket, hasDied } = dyingBucket(point, dies);
      const dying = storageOf(bucket);
      await dying.remove(key).catch((error: unknown) => expect(error).toBeInstanceOf(Died));
      // Another process may verify the upload just now.
      await storage.finish(key);
      expect([text, undefined]).toContain(photoText());
      await storage.remove(key);
      expect(keys()).toEqual([]);
      if (!hasDied()) break;
    }
  },
);

/** Does `act` between any two requests of `other`, and calls `verify` each time. */
async function interleave({
  begin,
  act,
  other,
  verify,
}: Record<'begin' | 'act' | 'other', (storage: PhotoStorage) => Promise<unknown>> & {
  verify: () => Promise<void>;
}): Promise<void> {
  for (let point = 1, isDone = false; !isDone; point++) {
    server.objects.clear();
    const storage = storageOf(rightBucket());
    await begin(storage);
    isDone = true;
    const slow = watched(rightBucket(), {
      before: async (call) => {
        if (call !== point) return;
        isDone = false;
        await act(storage);
      },
    });
    await other(storageOf(slow));
    await verify();
  }
}

test('[PHOTO-64] two processes that finish an upload at once leave the whole photo', async () => {
  await interleave({
    begin: uploadText,
    act: (storage) => storage.finish(key),
    other: (slow) => slow.finish(key),
    verify: async () => {
      await storageOf(rightBucket()).finish(key);
      expect(photoText()).toBe(text);
      expect(keys()).toEqual([photo]);
    },
  });
});

test('[PHOTO-62] a slow append drops nothing of what another process has appended since', async () => {
  await interleave({
    begin: (storage) => storage.append(key, 0, bytes(text.slice(0, 4))),
    act: async (storage) => {
      expect(await storage.append(key, 4, bytes(text.slice(4, 6)))).toBe(true);
      expect(await storage.append(key, 6, bytes(text.slice(6)))).toBe(true);
    },
    other: async (slow) => expect(await slow.append(key, 4, bytes(text.slice(4, 6)))).toBe(true),
    verify: async () => {
      const storage = storageOf(rightBucket());
      // The claims of the database let one request go on behind the other.
      expect(await storage.append(key, 6, bytes(text.slice(6)))).toBe(true);
      await storage.finish(key);
      expect(photoText()).toBe(text);
    },
  });
});

test('[PHOTO-65] a removal leaves nothing of a photo, over several pages, and all of its neighbours', async () => {
  const storage = storageOf(rightBucket());
  await uploadText(storage);
  await storage.finish(key);
  for (let stray = 0; stray < 5; stray++) server.objects.set(`${upload}${stray}-9-12-ab`, Buffer.from('abc'));
  server.objects.set(`${upload}of nobody`, Buffer.from('abc'));
  const neighbours = [`${photo}0`, `${upload.slice(0, -1)}0/1-0-3-ab`, upload.replace('000000000001', '000000000002')];
  for (const name of neighbours) server.objects.set(name, Buffer.from('abc'));
  await storage.remove(key);
  expect(keys()).toEqual(neighbours);
});

test('[PHOTO-64] a part of a chunk, and an upload that never rests, are outages and no photo', async () => {
  const storage = storageOf(rightBucket());
  server.objects.set(`${upload}1-0-9-ab`, Buffer.from('abc'));
  await expect(storage.finish(key)).rejects.toBeInstanceOf(StoreUnavailable);
  const restless = { ...rightBucket(), get: async () => null };
  await expect(storageOf(restless).finish(key)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(photoText()).toBeUndefined();
});
