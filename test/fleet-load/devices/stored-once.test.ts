import { expect, test } from 'vitest';
import { parseSessionId, recordingArgs, sessionIdOf, stepsOf } from './recordings.ts';
import { storedProblems, type StoredRun } from './stored-once.ts';

const recorded = new Map([
  [3, 2],
  [4, 1],
]);
const stored = (device: number, number: number, version: number): StoredRun => ({
  recording_session_id: sessionIdOf('run', device, number),
  version,
  steps: stepsOf(device, number),
});
const whole = [stored(3, 1, 10), stored(4, 1, 11), stored(3, 2, 12)];

test('[LOAD-1] recordings that are stored once, whole and in order are no problem, in whatever order they are pulled', () => {
  expect(storedProblems('run', recorded, whole)).toEqual([]);
  expect(storedProblems('run', recorded, whole.toReversed())).toEqual([]);
});

test.each<[string, StoredRun[], string]>([
  ['missing', whole.slice(1), 'recording 1 of device 3 is missing'],
  ['the last one missing', whole.slice(0, 2), 'recording 2 of device 3 is missing'],
  ['doubled', [...whole, stored(3, 2, 13)], 'recording 2 of device 3 is stored 2 times'],
  ['out of order', [stored(3, 2, 9), ...whole.slice(0, 2)], 'the recordings of device 3 are out of order'],
  ['never made', [...whole, stored(3, 3, 13)], 'run:3:3 is stored and was never recorded'],
  ['of another device', [...whole, stored(5, 1, 13)], 'run:5:1 is stored and was never recorded'],
  [
    'of another run',
    [...whole, { ...stored(3, 1, 13), recording_session_id: 'old:3:1' }],
    'old:3:1 is stored and was never recorded',
  ],
  [
    'changed',
    [...whole.slice(0, 2), { ...stored(3, 2, 12), steps: stepsOf(3, 1) }],
    'run:3:2 is stored with other steps',
  ],
  [
    'cut',
    [...whole.slice(0, 2), { ...stored(3, 2, 12), steps: stepsOf(3, 2).slice(1) }],
    'run:3:2 is stored with other steps',
  ],
])('[LOAD-2] a recording that is %s is named', (_, runs, problem) => {
  expect(storedProblems('run', recorded, runs)).toEqual([problem]);
});

test('a recording names its device and number, and ids of recordings do not meet', () => {
  expect(parseSessionId(sessionIdOf('abc', 12, 7))).toEqual({ run: 'abc', device: 12, number: 7 });
  expect(parseSessionId('01a1fc69')).toBeUndefined();
  const ids = new Set<number>();
  let count = 0;
  for (const device of [0, 1, 19_999]) {
    for (let number = 1; number <= 2_000; number++) {
      const args = recordingArgs({ run: 'abc', device, number, mapId: '', recordedAt: '' });
      const { run_id, stage_ids } = args as { run_id: number; stage_ids: number[] };
      for (const id of [run_id, ...stage_ids]) ids.add(id);
      count += 1 + stage_ids.length;
    }
  }
  expect(ids.size).toBe(count);
  expect(Math.max(...ids)).toBeLessThan(2 ** 53);
});
