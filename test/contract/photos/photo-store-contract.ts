import { expect, test } from 'vitest';
import { operatorActor } from '../../../server/core/caller.ts';
import { photoRowBytes, type NewPhoto } from '../../../server/store/photos/photo-row.ts';
import type { StoreUnderTest } from '../store/store-under-test.ts';
import { newAccount } from '../store/records.ts';

const instantAt = (second: number) => new Date(Date.parse('2026-04-10T00:00:00.000Z') + second * 1000).toISOString();
const photo: NewPhoto = {
  id: 'ab'.repeat(32),
  content_type: 'image/jpeg',
  bytes: 100,
  width: 40,
  height: 30,
  thumbnail: 'dGh1bWI=',
};
const limit = { bytesMax: 1_000_000, now: instantAt(0) };

export function photoStoreContract({ store, open }: StoreUnderTest): void {
  const added = async () => {
    const accountId = await newAccount(store());
    await store().addPhoto(accountId, photo, limit);
    return accountId;
  };
  /** Writes as a request does that claims the upload for a minute. */
  const upload = async (accountId: string, { claim = 'one', from = 0, to = 0, second = 0 }) => {
    const times = { now: instantAt(second), until: instantAt(second + 60) };
    const isClaimed = await store().claimUpload(accountId, photo.id, { claim, offset: from, ...times });
    return isClaimed && store().advanceUpload(accountId, photo.id, { claim, offset: to, now: times.now });
  };

  const claimToRemove = (accountId: string, id: string) =>
    store().claimUpload(accountId, id, { claim: 'remover', offset: 0, now: instantAt(0), until: instantAt(60) });

  test('[PHOTO-7] a photo is added once, as it was declared first, and to one account', async () => {
    const accountId = await newAccount(store());
    const row = { ...photo, received_bytes: 0, received_at: instantAt(0), stored_at: null };
    expect(await store().addPhoto(accountId, photo, limit)).toEqual(row);
    expect(await store().addPhoto(accountId, { ...photo, bytes: 7, thumbnail: null }, limit)).toEqual(row);
    expect(await store().photo(accountId, photo.id)).toEqual(row);
    expect(await store().photo(await newAccount(store()), photo.id)).toBeUndefined();
    await claimToRemove(accountId, photo.id);
    expect(await store().removePhoto(accountId, photo.id, 'other')).toBe(false);
    expect(await store().removePhoto(accountId, photo.id, 'remover')).toBe(true);
    expect(await store().removePhoto(accountId, photo.id, 'remover')).toBe(false);
    expect(await store().photo(accountId, photo.id)).toBeUndefined();
  });

  test('[PHOTO-7] the photos of an account and their rows have no more bytes than its limit', async () => {
    const accountId = await newAccount(store());
    const bytesMax = 2 * (photo.bytes + photoRowBytes) + photo.bytes;
    const add = (digit: string) =>
      store().addPhoto(accountId, { ...photo, id: digit.repeat(64) }, { bytesMax, now: instantAt(0) });
    expect([await add('1'), await add('2')].map((row) => row?.id)).toEqual(['1'.repeat(64), '2'.repeat(64)]);
    expect(await add('3')).toBeUndefined();
    expect((await add('2'))?.id).toBe('2'.repeat(64));
    await claimToRemove(accountId, '1'.repeat(64));
    await store().removePhoto(accountId, '1'.repeat(64), 'remover');
    expect((await add('3'))?.id).toBe('3'.repeat(64));
  });

  test('[PHOTO-8] an upload moves on from its offset alone, up to its bytes, and back to 0', async () => {
    const accountId = await added();
    expect(await upload(accountId, { from: 1, to: 50 })).toBe(false);
    expect(await upload(accountId, { to: 60, second: 1 })).toBe(true);
    expect(await upload(accountId, { from: 0, to: 50, second: 2 })).toBe(false);
    expect(await upload(accountId, { from: 60, to: 101, second: 3 })).toBe(false);
    expect(await store().photo(accountId, photo.id)).toMatchObject({ received_bytes: 60, received_at: instantAt(1) });
    expect(await upload(accountId, { from: 60, to: 0, second: 4 })).toBe(true);
    expect(await upload(accountId, { to: 100, second: 5 })).toBe(true);
  });

  test('[PHOTO-8] of requests that claim an upload at once, in several processes, one has it, until it gives it back or its time is over', async () => {
    const accountId = await added();
    const other = await open();
    const claims = Array.from({ length: 6 }, (_, index) => `request ${index}`);
    const claimOf = (claim: string, second: number) => ({
      claim,
      offset: 0,
      now: instantAt(second),
      until: instantAt(second + 60),
    });
    const outcomes = await Promise.all(
      claims.map((claim, index) =>
        (index % 2 === 0 ? store() : other).claimUpload(accountId, photo.id, claimOf(claim, 0)),
      ),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const holder = claims[outcomes.indexOf(true)] ?? '';
    expect(await other.claimUpload(accountId, photo.id, claimOf(holder, 1))).toBe(true);
    expect(await other.claimUpload(accountId, photo.id, claimOf('late', 60))).toBe(false);
    expect(await other.claimUpload(accountId, photo.id, claimOf('late', 61))).toBe(true);
    const advance = (claim: string) =>
      other.advanceUpload(accountId, photo.id, { claim, offset: 10, now: instantAt(62) });
    expect([await advance(holder), await advance('late'), await advance('late')]).toEqual([false, true, false]);
    expect(await store().photo(accountId, photo.id)).toMatchObject({ received_bytes: 10 });
    await other.close();
  });

  test('[PHOTO-8] a request that has moved an upload may keep its claim, and give it back without a move', async () => {
    const accountId = await added();
    const claimOf = (claim: string, offset: number) =>
      store().claimUpload(accountId, photo.id, { claim, offset, now: instantAt(0), until: instantAt(60) });
    expect(await claimOf('one', 0)).toBe(true);
    await store().advanceUpload(accountId, photo.id, { claim: 'one', offset: 10, now: instantAt(1), keepsClaim: true });
    expect(await claimOf('two', 10)).toBe(false);
    await store().releaseUpload(accountId, photo.id, 'two');
    expect(await claimOf('two', 10)).toBe(false);
    await store().releaseUpload(accountId, photo.id, 'one');
    expect(await claimOf('two', 10)).toBe(true);
  });

  test('[PHOTO-14] the size in pixels and the thumbnail of an upload are corrected, and those of a stored photo stay', async () => {
    const accountId = await added();
    const correct = (width: number) => store().correctPhoto(accountId, { ...photo, width, height: 7, thumbnail: null });
    await correct(41);
    const corrected = { width: 41, height: 7, thumbnail: null, bytes: photo.bytes };
    expect(await store().photo(accountId, photo.id)).toMatchObject(corrected);
    const times = { now: instantAt(1), until: instantAt(61) };
    await store().claimUpload(accountId, photo.id, { claim: 'one', offset: 0, ...times });
    await store().advanceUpload(accountId, photo.id, { claim: 'one', offset: 100, now: times.now, keepsClaim: true });
    // The verification has begun, and what it verified is stored.
    await correct(42);
    expect(await store().photo(accountId, photo.id)).toMatchObject(corrected);
    await store().finishPhoto(accountId, photo.id, { claim: 'one', now: times.now, actor: operatorActor });
    await correct(43);
    expect(await store().photo(accountId, photo.id)).toMatchObject(corrected);
  });

  test('[PHOTO-9] a photo is stored once, when all its bytes have arrived, and its upload is over', async () => {
    const accountId = await added();
    const times = { now: instantAt(1), until: instantAt(61) };
    const finish = (claim: string, second: number) =>
      store().finishPhoto(accountId, photo.id, { claim, now: instantAt(second), actor: operatorActor });
    await store().claimUpload(accountId, photo.id, { claim: 'one', offset: 0, ...times });
    expect(await finish('one', 1)).toBe(false);
    await store().advanceUpload(accountId, photo.id, {
      claim: 'one',
      offset: 100,
      now: instantAt(1),
      keepsClaim: true,
    });
    expect([await finish('other', 2), await finish('one', 2), await finish('one', 3)]).toEqual([false, true, false]);
    expect(await upload(accountId, { from: 100, to: 0, second: 4 })).toBe(false);
    expect(await store().photo(accountId, photo.id)).toMatchObject({ received_bytes: 100, stored_at: instantAt(2) });
  });

  test('[PHOTO-32] [PHOTO-74] a stored photo whose bytes are gone is uploaded again, and an upload stays where it is', async () => {
    const accountId = await added();
    expect(await upload(accountId, { to: 60, second: 1 })).toBe(true);
    await store().restartUpload(accountId, photo.id, { storedAt: instantAt(1), now: instantAt(2) });
    expect(await store().photo(accountId, photo.id)).toMatchObject({ received_bytes: 60, received_at: instantAt(1) });
    const claim = { claim: 'one', now: instantAt(3), until: instantAt(63), actor: operatorActor };
    await store().claimUpload(accountId, photo.id, { ...claim, offset: 60 });
    await store().advanceUpload(accountId, photo.id, { ...claim, offset: 100, keepsClaim: true });
    await store().finishPhoto(accountId, photo.id, claim);
    await store().restartUpload(accountId, photo.id, { storedAt: instantAt(2), now: instantAt(4) });
    expect(await store().photo(accountId, photo.id)).toMatchObject({ stored_at: instantAt(3) });
    await store().restartUpload(accountId, photo.id, { storedAt: instantAt(3), now: instantAt(4) });
    const awaited = { received_bytes: 0, received_at: instantAt(4), stored_at: null };
    expect(await store().photo(accountId, photo.id)).toMatchObject(awaited);
    expect(await upload(accountId, { to: 100, second: 5 })).toBe(true);
  });

  test('[PHOTO-74] an upload that got a byte since an instant is not claimed as idle', async () => {
    const accountId = await added();
    expect(await upload(accountId, { to: 60, second: 5 })).toBe(true);
    const claim = { claim: 'sweep', offset: 60, now: instantAt(9), until: instantAt(19) };
    const claimIdle = (second: number) =>
      store().claimUpload(accountId, photo.id, { ...claim, receivedBefore: instantAt(second) });
    expect([await claimIdle(5), await claimIdle(6)]).toEqual([false, true]);
  });

  test('[PHOTO-9] uploads without bytes for long are listed, the oldest first, and no stored photo', async () => {
    const accountId = await newAccount(store());
    const add = (digit: string, second: number) =>
      store().addPhoto(accountId, { ...photo, id: digit.repeat(64) }, { ...limit, now: instantAt(second) });
    for (const [index, digit] of ['3', '1', '2'].entries()) await add(digit, index);
    await add('4', 9);
    const idle = (count: number) => store().idleUploads(accountId, { receivedBefore: instantAt(5), limit: count });
    expect(await idle(10)).toEqual(['3', '1', '2'].map((digit) => digit.repeat(64)));
    expect(await idle(1)).toEqual(['3'.repeat(64)]);
    const finished = { claim: 'one', offset: 0, now: instantAt(1), until: instantAt(2), actor: operatorActor };
    await store().claimUpload(accountId, '1'.repeat(64), finished);
    await store().advanceUpload(accountId, '1'.repeat(64), { ...finished, offset: 100, keepsClaim: true });
    await store().finishPhoto(accountId, '1'.repeat(64), finished);
    expect(await idle(10)).toEqual(['3', '2'].map((digit) => digit.repeat(64)));
  });
}
