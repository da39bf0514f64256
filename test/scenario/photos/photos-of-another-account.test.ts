/** Tabs of one device that were opened with tokens of two accounts. */
import { expect, test } from 'vitest';
import { systemClock } from '../../../client/core/clock.ts';
import { createPhotoRequests } from '../../../client/photos/photo-requests.ts';
import { restClient } from '../../device/test-server.ts';
import { photoIdOf } from '../../../shared/schema/photos/photo-id.ts';
import type { NewPhotoBody } from '../../../shared/schema/photos/photo.ts';
import { largeJpeg, sampleJpeg, samplePixels } from '../../photo-samples.ts';
import { idOf } from '../../photos.ts';
import { start } from './photo-phones.ts';

const alwaysReady = { wait: async () => {} };

test('[PHOTO-91] a token of another account declares no photo of the device, as if there were no server', async () => {
  const { server, token, read, rest } = await start();
  const otherToken = await server.newAccount();
  const { id: accountId } = await rest.get<{ id: string }>('/account');
  const bytes = largeJpeg(500, 'a');
  const photo: NewPhotoBody = {
    id: photoIdOf(idOf(bytes)),
    bytes: bytes.length,
    content_type: 'image/jpeg',
    ...samplePixels,
    thumbnail: Buffer.from(sampleJpeg).toString('base64'),
  };
  const declareWith = (given: string) =>
    createPhotoRequests({
      url: server.url,
      fetch,
      token: () => given,
      ownAccount: () => ({ accountId, cursor: '' }),
      schedule: systemClock.schedule,
      limiter: alwaysReady,
      readLimiter: alwaysReady,
      pieceBytesMax: () => Infinity,
    }).declare(photo, new AbortController().signal);

  const failure = { kind: 'unreachable', detail: expect.stringContaining('another account') };
  await expect(declareWith(otherToken)).rejects.toMatchObject({ failure });
  expect((await restClient(server.url, otherToken).photo(photo.id, '?size=thumbnail')).status).toBe(404);
  expect(await declareWith(token)).toMatchObject({ status: 'uploading', offset: 0 });
  expect((await read(photo.id, '?size=thumbnail')).status).toBe(200);
});
