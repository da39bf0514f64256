import { expect, test } from 'vitest';
import { largeJpeg } from '../../test/photo-samples.ts';
import { bytesMax, declared, idOf, openUploads, pieceAt, recordRunWith } from '../../test/photos.ts';
import { sweepAllAccounts } from '../store/retention.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { sweepUploads, uploadIdleMsMax } from './sweep-uploads.ts';

test('[PHOTO-29] the daily sweep removes uploads that got no byte for 14 days, and their bytes', async () => {
  const { accountId, uploads, store, storage, world, wait } = await openUploads();
  const [idle, later, stored] = [1, 2, 3].map((seed) => largeJpeg(50, `swept ${seed}`)) as [Buffer, Buffer, Buffer];
  for (const bytes of [idle, later, stored]) {
    await uploads.declare(accountId, declared(bytes), bytesMax);
    await uploads.append(accountId, idOf(bytes), pieceAt(0, bytes === stored ? bytes : bytes.subarray(0, 40)));
  }
  wait(uploadIdleMsMax - 60_000);
  await uploads.append(accountId, idOf(later), pieceAt(40, later.subarray(40, 50)));
  wait(120_000);
  const swept: number[] = [];
  const sweepOtherData = async (account: string) =>
    void swept.push(await sweepUploads({ store, storage, world }, account));
  await sweepAllAccounts({ store, now: world.now, sweepOtherData });
  expect(swept).toEqual([1]);
  expect(await store.photo(accountId, idOf(idle))).toBeUndefined();
  expect(await storage.append({ accountId, id: idOf(idle) }, 40, Buffer.alloc(1))).toBe(false);
  expect(await uploads.find(accountId, idOf(later))).toMatchObject({ received_bytes: 50 });
  expect(await uploads.find(accountId, idOf(stored))).toMatchObject({ stored_at: expect.any(String) });
});

test('[PHOTO-71] an upload that a run refers to keeps its thumbnail for ever, and loses its bytes after 14 days', async () => {
  const { accountId, uploads, store, storage, world, stored, wait } = await openUploads();
  const photo = largeJpeg(50, 'waits for wifi');
  const key = { accountId, id: idOf(photo) };
  const thumbnail = 'dGh1bWI=';
  await uploads.declare(accountId, declared(photo, { thumbnail }), bytesMax);
  await uploads.append(accountId, key.id, pieceAt(0, photo.subarray(0, 40)));
  await recordRunWith({ store, accountId }, 1, photo);
  wait(uploadIdleMsMax + 60_000);
  expect(await uploads.find(accountId, key.id)).toMatchObject({ received_bytes: 40, thumbnail });
  for (let sweep = 0; sweep < 2; sweep++) {
    expect(await sweepUploads({ store, storage, world }, accountId)).toBe(0);
    expect(await uploads.find(accountId, key.id)).toMatchObject({ received_bytes: 0, thumbnail });
    expect(await storage.append(key, 40, Buffer.alloc(1))).toBe(false);
    wait(uploadIdleMsMax + 60_000);
  }
  expect(await uploads.append(accountId, key.id, pieceAt(0, photo))).toMatchObject({ ok: true });
  expect(Buffer.from((await stored(key.id))!)).toEqual(photo);
});

test('[PHOTO-74] an upload that began anew while a sweep ran is not ended', async () => {
  const { accountId, uploads, store, storage, world, wait } = await openUploads();
  const photo = largeJpeg(50, 'back again');
  const id = idOf(photo);
  await uploads.declare(accountId, declared(photo), bytesMax);
  wait(uploadIdleMsMax + 60_000);
  const idleUploads: typeof store.idleUploads = async (...args) => {
    const ids = await store.idleUploads(...args);
    await uploads.declare(accountId, declared(photo), bytesMax);
    await uploads.append(accountId, id, pieceAt(0, photo.subarray(0, 40)));
    return ids;
  };
  expect(await sweepUploads({ store: { ...store, idleUploads }, storage, world }, accountId)).toBe(0);
  expect(await uploads.find(accountId, id)).toMatchObject({ received_bytes: 40 });
  expect(await uploads.append(accountId, id, pieceAt(40, photo.subarray(40)))).toMatchObject({ ok: true });
});

test('[PHOTO-29] a sweep that is stopped ends after the upload at which it is', async () => {
  const { accountId, uploads, store, storage, world, wait } = await openUploads();
  const photos = [1, 2, 3].map((seed) => largeJpeg(50, `stopped ${seed}`));
  for (const photo of photos) await uploads.declare(accountId, declared(photo), bytesMax);
  wait(uploadIdleMsMax + 60_000);
  const stopped = new AbortController();
  const remove: PhotoStorage['remove'] = (key) => {
    stopped.abort();
    return storage.remove(key);
  };
  const parts = { store, storage: { ...storage, remove }, world };
  expect(await sweepUploads(parts, accountId, stopped.signal)).toBe(1);
  expect(await sweepUploads(parts, accountId)).toBe(2);
});
