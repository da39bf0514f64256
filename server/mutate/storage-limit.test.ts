import { expect, test } from 'vitest';
import { mutationNames } from '../../shared/schema/mutation.ts';
import { storageRefusal } from './storage-limit.ts';

const bytesMax = 256 * 1024 * 1024;
const refusedAt = (bytes: number) =>
  mutationNames.filter((name) => storageRefusal(name, { bytes, bytesMax, plan: 'free' }));

test('[MUTATE-10] [MUTATE-25] a full account makes no map, stage, run or correction, and may still change and delete', () => {
  expect(refusedAt(bytesMax).toSorted()).toEqual([
    'add_stage',
    'correct_run',
    'create_map',
    'record_new_map',
    'replace_stages',
    'upload_recording',
  ]);
  expect(refusedAt(bytesMax - 1)).toEqual([]);
  expect(storageRefusal('create_map', { bytes: bytesMax, bytesMax, plan: 'free' })?.error).toMatchObject({
    code: 'storage_limit_reached',
    members: { limit_bytes: bytesMax, plan: 'free' },
  });
});
