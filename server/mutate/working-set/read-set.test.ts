import { expect, test } from 'vitest';
import { emptyReadSet, mergedReadSet, readSetSize, readSetOf } from './read-set.ts';

const map_id = '018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42';
const recording = { map_id, recording_session_id: 'session', run_id: 5, steps: [], stage_ids: [7, 8] };

test('[MUTATE-40] each mutation names the keys that it reads', () => {
  const keys = { ...emptyReadSet(), mapIds: [map_id] };
  expect(readSetOf([{ name: 'delete_map', args: { map_id } }])).toEqual(keys);
  expect(readSetOf([{ name: 'add_stage', args: { map_id, stage_id: 7, stage: 'Pack' } }])).toEqual({
    ...keys,
    deviceMadeStageIds: [{ map_id, id: 7 }],
  });
  expect(readSetOf([{ name: 'upload_recording', args: recording }])).toEqual({
    ...keys,
    runIds: [5],
    recordingSessionIds: ['session'],
    deviceMadeStageIds: [7, 8].map((id) => ({ map_id, id })),
  });
  expect(readSetOf([{ name: 'delete_run', args: { run_id: 5 } }])).toEqual({ ...emptyReadSet(), runIdsToDelete: [5] });
});

test('[MUTATE-2] requests that share a transaction load each record once', () => {
  const readSet = readSetOf([{ name: 'delete_map', args: { map_id } }]);
  expect(readSetSize(mergedReadSet([readSet, readSet]))).toBe(1);
});
