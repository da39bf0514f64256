import { expect, test } from 'vitest';
import { largeJpeg } from '../../test/photo-samples.ts';
import { bytesMax, declared, idOf, openUploads, pieceAt } from '../../test/photos.ts';
import type { PhotoStorage } from './photo-storage.ts';
import { PhotoUploads } from './photo-uploads.ts';

test('[PHOTO-81] of many last bytes at once four photos are verified at a time', async () => {
  const { accountId, uploads: declaring, store, storage, world } = await openUploads();
  let [underWay, most] = [0, 0];
  const read: PhotoStorage['read'] = async (...args) => {
    most = Math.max(most, ++underWay);
    return storage.read(...args).finally(() => underWay--);
  };
  const uploads = new PhotoUploads({ store, storage: { ...storage, read }, world });
  const photos = Array.from({ length: 12 }, (_, seed) => largeJpeg(20, `at once ${seed}`));
  for (const photo of photos) await declaring.declare(accountId, declared(photo), bytesMax);
  const outcomes = await Promise.all(photos.map((photo) => uploads.append(accountId, idOf(photo), pieceAt(0, photo))));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(12);
  expect(most).toBe(4);
});
