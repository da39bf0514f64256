import { expect, test } from 'vitest';
import { operatorActor } from '../../../server/core/caller.ts';
import type { NewPhoto } from '../../../server/store/photos/photo-row.ts';
import type { AwaitedPhoto } from '../../../server/store/photos/photo-reference.ts';
import type { RunRow } from '../../../server/store/rows/documents.ts';
import { mapDoc, newAccount, runRow, write } from '../store/records.ts';
import type { StoreUnderTest } from '../store/store-under-test.ts';

const mapId = '0192a4c0-0000-7000-8000-00000000000a';
const deviceId = '0192a4c0-0000-7000-8000-00000000000d';
const idOf = (digits: string) => digits.repeat(32);
const instantAt = (second: number) => new Date(Date.parse('2026-04-10T00:00:00.000Z') + second * 1000).toISOString();
const newPhoto = (digits: string): NewPhoto => ({
  id: idOf(digits),
  content_type: 'image/jpeg',
  bytes: 100,
  width: 40,
  height: 30,
  thumbnail: null,
});

/** A run whose one step has these texts as photos. */
function runWith(version: number, number: number, photos: string[], recorded?: string[]): RunRow {
  const row = runRow(version, { mapId, number });
  const stepsWith = (texts: string[]) => row.doc!.steps.map((step) => ({ ...step, photos: texts }));
  const doc = { ...row.doc!, device_id: deviceId, steps: stepsWith(photos) };
  return { ...row, doc: recorded ? { ...doc, recorded_steps: stepsWith(recorded) } : doc };
}

const referenceTo = (digits: string) => `sha256:${idOf(digits)}`;

export function photoReferenceContract({ store, open }: StoreUnderTest): void {
  const saveRuns = (accountId: string, make: (version: () => number) => RunRow[]) =>
    write(store(), accountId, (next) => ({ maps: [mapDoc(next(), { id: mapId })], runs: make(next) }));
  const awaited = async (accountId: string, query = {}) =>
    (await store().awaitedPhotos(accountId, { after: undefined, limit: 100, ...query })).map(
      ({ photo_id, run_id }) => `${photo_id.slice(0, 2)} of ${run_id}`,
    );
  const storePhoto = async (accountId: string, digits: string) => {
    const photo = newPhoto(digits);
    await store().addPhoto(accountId, photo, { bytesMax: 1_000_000, now: instantAt(0) });
    const claim = { claim: 'one', offset: 0, now: instantAt(0), until: instantAt(60) };
    await store().claimUpload(accountId, photo.id, claim);
    await store().advanceUpload(accountId, photo.id, { ...claim, offset: photo.bytes, keepsClaim: true });
    expect(await store().finishPhoto(accountId, photo.id, { ...claim, actor: operatorActor })).toBe(true);
  };

  test('[PHOTO-35] a run refers to the photos of its steps while it is there, and other texts refer to nothing', async () => {
    const accountId = await newAccount(store());
    const texts = [
      'IMG 1.jpg',
      idOf('aa'),
      referenceTo('AA'),
      `${referenceTo('aa')}0`,
      referenceTo('ab'),
      referenceTo('ab'),
    ];
    await saveRuns(accountId, (next) => [
      runWith(next(), 1, texts),
      runWith(next(), 2, [referenceTo('ac')], [referenceTo('ab'), referenceTo('ad')]),
      runWith(next(), 3, []),
    ]);
    expect(await awaited(accountId)).toEqual(['ab of 1', 'ab of 2', 'ac of 2', 'ad of 2']);
    expect(await store().isPhotoReferenced(accountId, idOf('ad'))).toBe(true);
    expect(await store().isPhotoReferenced(accountId, idOf('aa'))).toBe(false);
    expect(await store().isPhotoReferenced(await newAccount(store()), idOf('ad'))).toBe(false);
    // A run that is written again refers to the same, and one that is deleted to nothing.
    await saveRuns(accountId, (next) => [runWith(next(), 1, texts), { ...runWith(next(), 2, []), doc: null }]);
    expect(await awaited(accountId)).toEqual(['ab of 1']);
  });

  test('[PHOTO-37] awaited photos are listed in pages, with their run and device, until they are stored', async () => {
    const accountId = await newAccount(store());
    await saveRuns(accountId, (next) => [
      runWith(next(), 1, ['0a', '0b', '0c'].map(referenceTo)),
      runWith(next(), 2, [referenceTo('0b')]),
    ]);
    await store().addPhoto(accountId, newPhoto('0a'), { bytesMax: 1_000_000, now: instantAt(0) });
    const all = await store().awaitedPhotos(accountId, { after: undefined, limit: 3 });
    expect(all[0]).toEqual({
      photo_id: idOf('0a'),
      run_id: 1,
      map_id: mapId,
      device_id: deviceId,
      referenced_at: runRow(1, { mapId, number: 1 }).created_at,
    });
    expect(all.map(({ run_id }) => run_id)).toEqual([1, 1, 2]);
    expect(await awaited(accountId, { after: all[1] })).toEqual(['0b of 2', '0c of 1']);
    await storePhoto(accountId, '0b');
    expect(await awaited(accountId)).toEqual(['0a of 1', '0c of 1']);
    expect(await store().photosOfRun(accountId, 1)).toEqual(
      expect.arrayContaining([
        { ...withoutThumbnail('0a'), stored_at: null },
        { ...withoutThumbnail('0b'), stored_at: instantAt(0) },
      ]),
    );
    expect(await store().photosOfRun(accountId, 2)).toHaveLength(1);
  });

  test('[PHOTO-37] 10,000 awaited photos of one run are listed, each once', async () => {
    const accountId = await newAccount(store());
    const ids = Array.from({ length: 10_000 }, (_, index) => index.toString(16).padStart(64, '0'));
    const steps = Array.from({ length: 500 }, (_, index) => ({
      ...runRow(1, { mapId, number: 1 }).doc!.steps[0]!,
      order: index + 1,
      photos: ids.slice(index * 20, index * 20 + 20).map((id) => `sha256:${id}`),
    }));
    await saveRuns(accountId, (next) => {
      const row = runRow(next(), { mapId, number: 1 });
      return [{ ...row, doc: { ...row.doc!, steps } }];
    });
    const listed: string[] = [];
    for (let after: AwaitedPhoto | undefined; ;) {
      const page = await store().awaitedPhotos(accountId, { after, limit: 1_000 });
      listed.push(...page.map(({ photo_id }) => photo_id));
      after = page.at(-1);
      if (!after) break;
    }
    expect(listed.join()).toBe(ids.join());
  });

  const mark = async (accountId: string, now: string) => {
    const ids = ['0a', '0b', '0c', '0d'].map(idOf);
    for (const [index, from] of ids.entries())
      await store().markUnreferenced(accountId, { from, to: ids[index + 1] ?? from, now });
  };

  test('[PHOTO-39] a photo that no run refers to is marked, and forgotten unless a run refers to it or it is unmarked', async () => {
    const accountId = await newAccount(store());
    for (const digits of ['0a', '0b', '0c', '0d']) await storePhoto(accountId, digits);
    await saveRuns(accountId, (next) => [runWith(next(), 1, [referenceTo('0a')])]);
    const marked = async (second: number) =>
      (await store().unreferencedPhotos(accountId, { unreferencedBefore: instantAt(second), limit: 10 }))
        .map((id) => id.slice(0, 2))
        .toSorted();
    expect(await store().storedPhotoIds(accountId, { after: undefined, limit: 3 })).toEqual(
      ['0a', '0b', '0c'].map(idOf),
    );
    expect(await store().storedPhotoIds(accountId, { after: idOf('0b'), limit: 3 })).toEqual(['0c', '0d'].map(idOf));
    await mark(accountId, instantAt(100));
    await mark(accountId, instantAt(200));
    expect([await marked(99), await marked(100)]).toEqual([[], ['0b', '0c', '0d']]);
    await store().unmarkPhoto(accountId, idOf('0d'));
    await saveRuns(accountId, (next) => [runWith(next(), 2, [referenceTo('0c')])]);
    const forget = (digits: string, unreferencedBefore = instantAt(100)) =>
      store().claimUnreferenced(accountId, idOf(digits), {
        unreferencedBefore,
        claim: 'collector',
        now: instantAt(300),
        until: instantAt(360),
      });
    expect(await forget('0b', instantAt(99))).toBe(false);
    expect([await forget('0a'), await forget('0b'), await forget('0c'), await forget('0d')]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(await store().photo(accountId, idOf('0b'))).toMatchObject({ received_bytes: 0, stored_at: null });
    const other = await open();
    const claim = { claim: 'client', offset: 0, now: instantAt(301), until: instantAt(361) };
    expect(await other.claimUpload(accountId, idOf('0b'), claim)).toBe(false);
    await other.close();
    await mark(accountId, instantAt(400));
    expect(await marked(400)).toEqual(['0d']);
  });

  test('[PHOTO-75] the 30 and the 14 days begin again with a new epoch, and the 30 when a photo is stored again', async () => {
    const accountId = await newAccount(store());
    for (const digits of ['0a', '0b']) await storePhoto(accountId, digits);
    await store().addPhoto(accountId, newPhoto('0c'), { bytesMax: 1_000_000, now: instantAt(0) });
    const marked = () => store().unreferencedPhotos(accountId, { unreferencedBefore: instantAt(100), limit: 10 });
    await mark(accountId, instantAt(100));
    expect(await marked()).toHaveLength(2);
    await store().restartUpload(accountId, idOf('0a'), { storedAt: instantAt(0), now: instantAt(200) });
    await storePhoto(accountId, '0a');
    expect(await marked()).toEqual([idOf('0b')]);
    await store().renewEpoch();
    expect(await marked()).toEqual([]);
    expect(await store().idleUploads(accountId, { receivedBefore: instantAt(1), limit: 10 })).toEqual([]);
    expect(await store().photo(accountId, idOf('0b'))).toMatchObject({ received_at: instantAt(0) });
  });
}

function withoutThumbnail(digits: string): Omit<NewPhoto, 'thumbnail'> {
  const { thumbnail: _, ...photo } = newPhoto(digits);
  return photo;
}
