/**
 * The contract of a photo storage in a bucket: of the S3 service of the tests, and of a real one if `TEST_S3_URL`,
 * `TEST_S3_KEY` and `TEST_S3_SECRET` name it. Each test has a folder of its own there.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { systemWorld } from '../../../server/core/world.ts';
import { parseBucketUrl, type BucketSettings } from '../../../server/photos/s3/bucket-settings.ts';
import { openS3Storage } from '../../../server/photos/s3/s3-storage.ts';
import { startS3Server, type S3Server } from '../../s3/s3-server.ts';
import { photoStorageContract } from './photo-storage-contract.ts';

function openFresh({ location, ...settings }: BucketSettings) {
  const prefix = `${location.prefix}${randomUUID()}/`;
  return openS3Storage({ ...settings, location: { ...location, prefix } }, systemWorld);
}

describe('of the S3 service of the tests', () => {
  let server: S3Server;
  beforeAll(async () => void (server = await startS3Server({ pageKeysMax: 2 })));
  afterAll(() => server.close());
  photoStorageContract(async () => openFresh(server.settings));
});

const location = parseBucketUrl(process.env['TEST_S3_URL'] ?? '');

describe.runIf(location)('of the service at TEST_S3_URL', () => {
  const variable = (name: string, valueIfUnset = '') => process.env[name] ?? valueIfUnset;
  const region = variable('TEST_S3_REGION', 'us-east-1');
  const credentials = { key: variable('TEST_S3_KEY'), secret: variable('TEST_S3_SECRET'), region };
  photoStorageContract(async () => openFresh({ location: location!, ...credentials }));
});
