import { expect, test } from 'vitest';
import type { RunStep } from '../../shared/schema/run.ts';
import { recordingProblems, stepName, type KnownRecording } from './ledger.ts';

const recording = (session: string, steps: number): KnownRecording => ({ session, steps, mayBeFinished: true });
const run = (recording_session_id: string, number: number, steps: number, from = 1) => ({
  recording_session_id,
  number,
  map_id: 'map',
  steps: Array.from({ length: steps }, (_, index) => ({ stage_name: stepName(from + index) }) as RunStep),
});
const problems = (recordings: KnownRecording[], runs: ReturnType<typeof run>[]) =>
  recordingProblems([{ name: 'one', recordings }], runs);

test('[SOAK-2] the check names what is lost, doubled, torn, out of order or of no device', () => {
  const [a, b] = [recording('a', 2), recording('b', 1)];

  expect(problems([a, b, recording('c', 0)], [run('a', 1, 2), run('b', 2, 1)])).toEqual([]);
  expect(problems([a], [run('a', 1, 3)])).toEqual([]);
  expect(problems([a], [])).toEqual(['one: a with 2 steps is lost']);
  expect(problems([a], [run('a', 1, 2), run('a', 2, 2)])).toEqual(['one: a is 2 runs']);
  expect(problems([a], [run('a', 1, 1)])).toEqual(['one: a has Step 1, not 2 steps']);
  expect(problems([a], [run('a', 1, 2, 2)])).toEqual(['one: a has Step 2, Step 3, not 2 steps']);
  expect(problems([a], [run('a', 1, 4)])).toHaveLength(1);
  expect(problems([a, b], [run('a', 2, 2), run('b', 1, 1)])).toEqual(['one: b is out of order']);
  expect(problems([], [run('x', 1, 1)])).toEqual(['x is of no device']);
});
