import { expect, onTestFinished, test } from 'vitest';
import { upcasters } from '../../../shared/schema/mutation-versions.ts';
import { mutationNames } from '../../../shared/schema/mutation.ts';
import { isKnownMutation } from './mutation.ts';
import { isRecordingUpload } from '../../../shared/domain/runs-read.ts';

test('[VERSION-6] a mutation of another name or a newer version is not known', () => {
  expect(isKnownMutation({ name: 'update_map' })).toBe(true);
  expect(isKnownMutation({ name: 'update_map', version: 1 })).toBe(true);
  expect(isKnownMutation({ name: 'update_map', version: 2 })).toBe(false);
  expect(isKnownMutation({ name: 'merge_maps' })).toBe(false);
  upcasters.update_map = [(args) => args];
  onTestFinished(() => {
    delete upcasters.update_map;
  });
  expect([1, 2, 3].map((version) => isKnownMutation({ name: 'update_map', version }))).toEqual([true, true, false]);
});

test('[OUTBOX-31] the uploads of recordings are those to a map and those that make one', () => {
  expect(mutationNames.filter((name) => isRecordingUpload({ name }))).toEqual(['upload_recording', 'record_new_map']);
});
