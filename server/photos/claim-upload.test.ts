import { expect, test } from 'vitest';
import { sampleJpeg } from '../../test/photo-samples.ts';
import { bytesMax, declared, newGate, openUploads, pieceAt } from '../../test/photos.ts';
import { isoNow } from '../core/world.ts';
import { claimLifetimeMs } from './claim-upload.ts';
import type { PhotoKey, PhotoStorage } from './photo-storage.ts';
import { PhotoUploads } from './photo-uploads.ts';

test('[PHOTO-15] while one request writes, another one is told to wait, also one that would end the upload', async () => {
  const { accountId, uploads, store, storage, world } = await openUploads();
  const photo = declared(sampleJpeg);
  await uploads.declare(accountId, photo, bytesMax);
  const gate = newGate();
  const slow: PhotoStorage = {
    ...storage,
    append: async (...args) => {
      await gate.pass();
      return storage.append(...args);
    },
  };
  const first = new PhotoUploads({ store, storage: slow, world }).append(accountId, photo.id, pieceAt(0, sampleJpeg));
  await gate.reached;
  expect(await uploads.append(accountId, photo.id, pieceAt(0, sampleJpeg))).toMatchObject({
    ok: false,
    code: 'upload_busy',
  });
  expect(await uploads.terminate(accountId, photo.id)).toBe('upload_busy');
  gate.release();
  expect(await first).toMatchObject({ ok: true, photo: { stored_at: expect.any(String) } });
});

test('[PHOTO-72] a request whose claim has ended takes nothing from the upload that went on meanwhile', async () => {
  const { accountId, uploads, store, storage, world, stored, wait } = await openUploads();
  const photo = declared(sampleJpeg);
  const goOn = async () => {
    wait(claimLifetimeMs + 1_000);
    expect(await uploads.append(accountId, photo.id, pieceAt(0, sampleJpeg))).toMatchObject({ ok: true });
  };
  const expectStored = async () => {
    expect(await uploads.find(accountId, photo.id)).toMatchObject({ stored_at: expect.any(String) });
    expect(Buffer.from((await stored(photo.id))!)).toEqual(sampleJpeg);
  };

  const ending = newGate();
  const remove = (key: PhotoKey) => storage.remove(key).then(ending.pass);
  await uploads.declare(accountId, photo, bytesMax);
  const ended = new PhotoUploads({ store, storage: { ...storage, remove }, world }).terminate(accountId, photo.id);
  await ending.reached;
  await goOn();
  ending.release();
  expect(await ended).toBe('upload_busy');
  await expectStored();

  // The upload of what is no photo has begun again, and its bytes are about to be removed.
  const { stored_at } = (await store.photo(accountId, photo.id))!;
  await store.restartUpload(accountId, photo.id, { storedAt: stored_at!, now: isoNow(world) });
  const emptying = newGate();
  const advanceUpload: typeof store.advanceUpload = async (...args) => {
    const isMoved = await store.advanceUpload(...args);
    if (args[2].offset === 0) await emptying.pass();
    return isMoved;
  };
  const slow = new PhotoUploads({ store: { ...store, advanceUpload }, storage, world });
  const refused = slow.append(accountId, photo.id, pieceAt(0, Buffer.alloc(sampleJpeg.length)));
  await emptying.reached;
  await goOn();
  emptying.release();
  expect(await refused).toMatchObject({ ok: false, code: 'photo_corrupt' });
  await expectStored();
});
