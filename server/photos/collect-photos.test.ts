import { expect, test } from 'vitest';
import { largeJpeg } from '../../test/photo-samples.ts';
import { bytesMax, declared, idOf, newGate, openUploads, pieceAt, recordRunWith } from '../../test/photos.ts';
import { claimLifetimeMs } from './claim-upload.ts';
import { collectPhotos, unreferencedMsMax } from './collect-photos.ts';
import type { PhotoKey } from './photo-storage.ts';

/** Opens an account with a photo to which no run has referred for 30 days. */
async function openUnreferenced(name: string) {
  const opened = await openUploads();
  const { accountId, uploads, wait } = opened;
  const photo = largeJpeg(60, name);
  await uploads.declare(accountId, declared(photo), bytesMax);
  await uploads.append(accountId, idOf(photo), pieceAt(0, photo));
  await collectPhotos(opened, accountId);
  wait(unreferencedMsMax + 60_000);
  return { ...opened, photo };
}

test('[PHOTO-39] photos that no run referred to for 30 days are removed with their bytes, and others stay', async () => {
  const { accountId, uploads, store, storage, world, stored, wait } = await openUploads();
  const names = ['forgotten', 'referenced', 'declared again', 'referenced late'];
  const photos = names.map((name) => largeJpeg(60, name)) as [Buffer, Buffer, Buffer, Buffer];
  const [forgotten, referenced, declaredAgain, late] = photos;
  const collect = () => collectPhotos({ store, storage, world }, accountId);
  const recordWith = (number: number, photo: Buffer) => recordRunWith({ store, accountId }, number, photo);
  for (const photo of photos) {
    await uploads.declare(accountId, declared(photo), bytesMax);
    await uploads.append(accountId, idOf(photo), pieceAt(0, photo));
  }
  await recordWith(1, referenced);
  expect(await collect()).toBe(0);
  wait(unreferencedMsMax - 60_000);
  expect(await collect()).toBe(0);
  await recordWith(2, late);
  await uploads.declare(accountId, declared(declaredAgain), bytesMax);
  wait(120_000);
  expect(await collect()).toBe(1);
  expect(await store.photo(accountId, idOf(forgotten))).toBeUndefined();
  expect(await stored(idOf(forgotten))).toBeNull();
  for (const photo of [referenced, declaredAgain, late])
    expect(Buffer.from((await stored(idOf(photo)))!)).toEqual(photo);
  // A client that still has it sends it again.
  expect(await uploads.declare(accountId, declared(forgotten), bytesMax)).toMatchObject({ isNew: true });
  wait(unreferencedMsMax + 60_000);
  expect(await collect()).toBe(1);
  expect(await stored(idOf(declaredAgain))).toBeNull();
});

test('[PHOTO-39] a run that refers to a photo while it is forgotten keeps it', async () => {
  const { accountId, uploads, store, storage, world, stored, photo } = await openUnreferenced('put back');
  const putBack: typeof store = {
    ...store,
    async claimUnreferenced(...given) {
      const isForgotten = await store.claimUnreferenced(...given);
      await recordRunWith({ store, accountId }, 1, photo);
      return isForgotten;
    },
  };
  expect(await collectPhotos({ store: putBack, storage, world }, accountId)).toBe(0);
  expect(await uploads.find(accountId, idOf(photo))).toMatchObject({ stored_at: expect.any(String) });
  expect(Buffer.from((await stored(idOf(photo)))!)).toEqual(photo);
});

test('[PHOTO-39] a process that dies while it removes a photo leaves an upload that can go on', async () => {
  const { accountId, uploads, store, storage, world, stored, wait, photo } = await openUnreferenced('dying');
  const dying = { ...storage, remove: () => Promise.reject(new Error('died')) };
  await expect(collectPhotos({ store, storage: dying, world }, accountId)).rejects.toThrow('died');
  expect(await uploads.declare(accountId, declared(photo), bytesMax)).toMatchObject({ photo: { received_bytes: 0 } });
  expect(await uploads.append(accountId, idOf(photo), pieceAt(0, photo))).toMatchObject({ code: 'upload_busy' });
  wait(61_000);
  expect(await uploads.append(accountId, idOf(photo), pieceAt(0, photo))).toMatchObject({ ok: true });
  expect(Buffer.from((await stored(idOf(photo)))!)).toEqual(photo);
});

test('[PHOTO-72] a sweep whose claim has ended leaves the photo that was uploaded again meanwhile', async () => {
  const { accountId, uploads, store, storage, world, stored, wait, photo } = await openUnreferenced('again');
  const gate = newGate();
  const remove = (key: PhotoKey) => storage.remove(key).then(gate.pass);
  const collected = collectPhotos({ store, storage: { ...storage, remove }, world }, accountId);
  await gate.reached;
  wait(claimLifetimeMs + 1_000);
  expect(await uploads.append(accountId, idOf(photo), pieceAt(0, photo))).toMatchObject({ ok: true });
  gate.release();
  expect(await collected).toBe(0);
  expect(await uploads.find(accountId, idOf(photo))).toMatchObject({ stored_at: expect.any(String) });
  expect(Buffer.from((await stored(idOf(photo)))!)).toEqual(photo);
});
