import { expect, test } from 'vitest';
import { largeJpeg, sampleJpeg, withJpegSegment } from '../../test/photo-samples.ts';
import { bytesMax, declared, idOf, openUploads, pieceAt } from '../../test/photos.ts';
import type { NewPhoto } from '../store/photos/photo-row.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { PhotoUploads } from './photo-uploads.ts';

test('[PHOTO-10] a photo that comes in pieces is stored with its last byte', async () => {
  const { accountId, uploads, stored } = await openUploads();
  const photo = declared(sampleJpeg);
  expect(await uploads.declare(accountId, photo, bytesMax)).toMatchObject({ ok: true, isNew: true });
  for (let at = 0; at < sampleJpeg.length; at += 100) {
    expect(await stored(photo.id)).toBeNull();
    const piece = sampleJpeg.subarray(at, at + 100);
    expect(await uploads.append(accountId, photo.id, pieceAt(at, piece))).toMatchObject({ ok: true });
  }
  expect(await uploads.find(accountId, photo.id)).toMatchObject({
    received_bytes: sampleJpeg.length,
    stored_at: expect.any(String),
  });
  expect(Buffer.from((await stored(photo.id))!)).toEqual(sampleJpeg);
});

test.each([
  ['bytes of another id', sampleJpeg, { id: 'ab'.repeat(32) }, 'photo_corrupt'],
  ['another size in pixels', sampleJpeg, { width: 4 }, 'photo_corrupt'],
  ['another type', sampleJpeg, { content_type: 'image/png' }, 'photo_corrupt'],
  ['a place', withJpegSegment(0xe1, 'Exif\0\0MM\0*'), {}, 'photo_has_metadata'],
] as const)('[PHOTO-10] the upload of %s begins again, and nothing of it is kept', async (_of, bytes, fields, code) => {
  const { accountId, uploads, stored } = await openUploads();
  const photo = declared(bytes, fields);
  await uploads.declare(accountId, photo, bytesMax);
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await uploads.append(accountId, photo.id, pieceAt(0, bytes.subarray(0, 50)))).toMatchObject({ ok: true });
    const outcome = await uploads.append(accountId, photo.id, pieceAt(50, bytes.subarray(50)));
    expect(outcome).toMatchObject({ ok: false, code, photo: { received_bytes: 0, stored_at: null } });
    expect(await stored(photo.id)).toBeNull();
  }
});

test('[PHOTO-11] bytes at another offset or beyond the end change nothing', async () => {
  const { accountId, uploads } = await openUploads();
  const photo = declared(sampleJpeg);
  const append = (offset: number, bytes: Uint8Array) => uploads.append(accountId, photo.id, pieceAt(offset, bytes));
  expect(await append(0, sampleJpeg)).toEqual({ ok: false, code: 'photo_not_found' });
  await uploads.declare(accountId, photo, bytesMax);
  await append(0, sampleJpeg.subarray(0, 10));
  for (const offset of [0, 9, 11]) {
    const code = 'offset_mismatch';
    expect(await append(offset, sampleJpeg.subarray(0, 5))).toMatchObject({ code, photo: { received_bytes: 10 } });
  }
  expect(await append(10, Buffer.alloc(sampleJpeg.length))).toEqual({ ok: false, code: 'upload_too_long' });
  expect(await append(10, Buffer.alloc(0))).toMatchObject({ ok: true, photo: { received_bytes: 10 } });
  expect(await append(10, sampleJpeg.subarray(10))).toMatchObject({ ok: true });
  expect(await append(sampleJpeg.length, Buffer.alloc(0))).toMatchObject({ code: 'offset_mismatch' });
});

test('[PHOTO-12] a declaration that is repeated finds the photo, and another one under its id is refused', async () => {
  const { accountId, uploads } = await openUploads();
  const photo = declared(sampleJpeg);
  const declare = (fields: Partial<NewPhoto>) => uploads.declare(accountId, { ...photo, ...fields }, bytesMax);
  await declare({});
  await uploads.append(accountId, photo.id, pieceAt(0, sampleJpeg.subarray(0, 10)));
  expect(await declare({})).toMatchObject({ ok: true, isNew: false, photo: { received_bytes: 10 } });
  for (const fields of [{ bytes: 1 }, { content_type: 'image/png' as const }]) {
    expect(await declare(fields)).toEqual({ ok: false, code: 'photo_mismatch' });
  }
  expect(await declare({ id: 'cd'.repeat(32), bytes: bytesMax })).toEqual({ ok: false, code: 'photo_quota_reached' });
  expect(await uploads.terminate(accountId, photo.id)).toBe('ended');
  expect(await uploads.terminate(accountId, photo.id)).toBe('no_upload');
  expect(await declare({})).toMatchObject({ ok: true, isNew: true, photo: { received_bytes: 0 } });
  await uploads.append(accountId, photo.id, pieceAt(0, sampleJpeg));
  expect(await uploads.terminate(accountId, photo.id)).toBe('no_upload');
});

test('[PHOTO-14] until a photo is stored, its size in pixels and its thumbnail may be corrected, and its upload goes on', async () => {
  const { accountId, uploads } = await openUploads();
  const wrong = declared(sampleJpeg, { width: 99 });
  await uploads.declare(accountId, wrong, bytesMax);
  await uploads.append(accountId, wrong.id, pieceAt(0, sampleJpeg.subarray(0, 10)));
  const right = declared(sampleJpeg, { thumbnail: 'dGh1bWI=' });
  const found = { ok: true, isNew: false, photo: { ...right, received_bytes: 10 } };
  expect(await uploads.declare(accountId, right, bytesMax)).toMatchObject(found);
  expect(await uploads.append(accountId, right.id, pieceAt(10, sampleJpeg.subarray(10)))).toMatchObject({ ok: true });
  // A stored photo stays as it is.
  expect(await uploads.declare(accountId, wrong, bytesMax)).toMatchObject({ photo: { width: right.width } });
});

test('[PHOTO-32] a stored photo whose bytes are gone is uploaded again by whoever declares it', async () => {
  const { accountId, uploads, storage, stored } = await openUploads();
  const photo = declared(sampleJpeg);
  const declare = (fields = {}) => uploads.declare(accountId, { ...photo, ...fields }, bytesMax);
  await declare();
  await uploads.append(accountId, photo.id, pieceAt(0, sampleJpeg));
  expect(await declare()).toMatchObject({ photo: { stored_at: expect.any(String) } });
  await storage.remove({ accountId, id: photo.id });
  // The bytes of another photo would not replace those that are gone.
  expect(await declare({ bytes: 1 })).toEqual({ ok: false, code: 'photo_mismatch' });
  expect(await uploads.find(accountId, photo.id)).toMatchObject({ stored_at: expect.any(String) });
  expect(await declare()).toMatchObject({ ok: true, isNew: false, photo: { received_bytes: 0, stored_at: null } });
  expect(await uploads.append(accountId, photo.id, pieceAt(0, sampleJpeg))).toMatchObject({ ok: true });
  expect(Buffer.from((await stored(photo.id))!)).toEqual(sampleJpeg);
});

test('[PHOTO-31] bytes that the storage lost before their verification are no fault of the client, and are sent again', async () => {
  const { accountId, uploads, store, storage, world, stored } = await openUploads();
  const photo = declared(sampleJpeg);
  await uploads.declare(accountId, photo, bytesMax);
  const key = { accountId, id: photo.id };
  const losing: PhotoStorage = { ...storage, finish: () => storage.remove(key) };
  const cutting: PhotoStorage = {
    ...storage,
    read: (_key, range) => storage.read(key, { ...range, end: sampleJpeg.length - 1 }),
  };
  for (const damaged of [losing, cutting]) {
    const failing = new PhotoUploads({ store, storage: damaged, world });
    const outcome = await failing.append(accountId, photo.id, pieceAt(0, sampleJpeg));
    expect(outcome).toMatchObject({ ok: false, code: 'offset_mismatch', photo: { received_bytes: 0 } });
  }
  expect(await uploads.append(accountId, photo.id, pieceAt(0, sampleJpeg))).toMatchObject({ ok: true });
  expect(Buffer.from((await stored(photo.id))!)).toEqual(sampleJpeg);
});

test('[PHOTO-79] bytes that are in the way of an upload at 0 and are not its photo are removed', async () => {
  const { accountId, uploads, storage, stored } = await openUploads();
  const photo = declared(sampleJpeg);
  const key = { accountId, id: photo.id };
  await uploads.declare(accountId, photo, bytesMax);
  await storage.append(key, 0, Buffer.alloc(sampleJpeg.length));
  await storage.finish(key);
  const found = { ok: true, photo: { received_bytes: 0, stored_at: null } };
  expect(await uploads.declare(accountId, photo, bytesMax)).toMatchObject(found);
  expect(await stored(photo.id)).toBeNull();
});

test('[PHOTO-15] an append that failed leaves its upload to the next request, and one without bytes is no sign of life', async () => {
  const { accountId, uploads, store, storage, world, wait } = await openUploads();
  const photo = declared(sampleJpeg);
  await uploads.declare(accountId, photo, bytesMax);
  const full: PhotoStorage = { ...storage, append: () => Promise.reject(new Error('no space left')) };
  const failing = new PhotoUploads({ store, storage: full, world });
  await expect(failing.append(accountId, photo.id, pieceAt(0, sampleJpeg))).rejects.toThrow('no space left');
  const before = (await uploads.find(accountId, photo.id))!.received_at;
  wait(1_000);
  expect(await uploads.append(accountId, photo.id, pieceAt(0, Buffer.alloc(0)))).toMatchObject({ ok: true });
  expect((await uploads.find(accountId, photo.id))!.received_at).toBe(before);
  expect(await uploads.append(accountId, photo.id, pieceAt(0, sampleJpeg))).toMatchObject({ ok: true });
});

class Died extends Error {}

/** Rejects the call with this number, before it or after it, and each later one: the process is dead. */
function dyingAt(point: number, { dies }: { dies: 'before' | 'after' }) {
  let calls = 0;
  const watch = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (of, name) => {
        const method = Reflect.get(of, name) as unknown;
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          const call = ++calls;
          if (call > point || (call === point && dies === 'before')) throw new Died();
          const result: unknown = await (method as (...given: unknown[]) => unknown).apply(of, args);
          if (call === point) throw new Died();
          return result;
        };
      },
    });
  return { watch, hasDied: () => calls >= point };
}

/** A photo is declared, and `dying` is a process that dies at the call with this number. */
async function openDying(photo: NewPhoto, point: number, when: { dies: 'before' | 'after' }) {
  const opened = await openUploads();
  const { accountId, uploads, store, storage, world } = opened;
  await uploads.declare(accountId, photo, bytesMax);
  const { watch, hasDied } = dyingAt(point, when);
  const dying = new PhotoUploads({ store: watch<typeof store>(store), storage: watch<PhotoStorage>(storage), world });
  return { ...opened, dying, hasDied };
}

test.each(['before', 'after'] as const)(
  '[PHOTO-13] an upload goes on after its process died %s any call, and what was acknowledged is there',
  async (dies) => {
    const photo = declared(sampleJpeg);
    for (let point = 1; ; point++) {
      const { accountId, uploads, stored, wait, dying, hasDied } = await openDying(photo, point, { dies });
      let acknowledged = 0;
      try {
        for (let at = 0; at < sampleJpeg.length; at += 300) {
          const piece = sampleJpeg.subarray(at, at + 300);
          expect(await dying.append(accountId, photo.id, pieceAt(at, piece))).toMatchObject({ ok: true });
          acknowledged = at + piece.length;
        }
      } catch (error) {
        expect(error).toBeInstanceOf(Died);
      }
      if (!hasDied()) break;
      wait(61_000);
      const found = await uploads.find(accountId, photo.id);
      expect(found!.received_bytes).toBeGreaterThanOrEqual(acknowledged);
      if (found!.stored_at === null) {
        const rest = sampleJpeg.subarray(found!.received_bytes);
        expect(await uploads.append(accountId, photo.id, pieceAt(found!.received_bytes, rest))).toMatchObject({
          ok: true,
        });
      }
      expect(await uploads.find(accountId, photo.id)).toMatchObject({ stored_at: expect.any(String) });
      expect(Buffer.from((await stored(photo.id))!)).toEqual(sampleJpeg);
    }
  },
);

test.each(['before', 'after'] as const)(
  '[PHOTO-13] an upload of what is no photo begins again after its process died %s any call',
  async (dies) => {
    const bad = withJpegSegment(0xe1, 'Exif\0\0MM\0*');
    const photo = declared(bad);
    for (let point = 1; ; point++) {
      const { accountId, uploads, stored, wait, dying, hasDied } = await openDying(photo, point, { dies });
      await dying
        .append(accountId, photo.id, pieceAt(0, bad))
        .catch((error: unknown) => expect(error).toBeInstanceOf(Died));
      if (!hasDied()) break;
      wait(61_000);
      expect(await uploads.find(accountId, photo.id)).toMatchObject({ received_bytes: 0, stored_at: null });
      const again = await uploads.append(accountId, photo.id, pieceAt(0, bad));
      expect(again).toMatchObject({ ok: false, code: 'photo_has_metadata', photo: { received_bytes: 0 } });
      expect(await stored(photo.id)).toBeNull();
    }
  },
);

test('[PHOTO-72] a verification whose claim has ended says that the upload is busy, and not that the photo is there', async () => {
  const { accountId, store, storage, world } = await openUploads();
  const photo = largeJpeg(50, 'verified late');
  const late = new PhotoUploads({ store: { ...store, finishPhoto: async () => false }, storage, world });
  await late.declare(accountId, declared(photo), bytesMax);
  expect(await late.append(accountId, idOf(photo), pieceAt(0, photo))).toMatchObject({
    ok: false,
    code: 'upload_busy',
  });
});
