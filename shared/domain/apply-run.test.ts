import { expect, test } from 'vitest';
import type { Mutation } from '../schema/mutation.ts';
import type { RunDoc } from '../schema/run.ts';
import { apply } from './apply.ts';
import { runOf, toRunSteps } from './run.ts';
import type { ApplyOutcome, DomainState } from './state.ts';

const mapId = '00000000-0000-7000-8000-000000000001';
const recorded = toRunSteps([
  { stage_name: 'Load', order: 1, duration_secs: 60, work_type: 'valuable' },
  { stage_name: 'Wait', order: 2, duration_secs: 40 },
]);
const run = runOf(
  {
    id: 7,
    mapId,
    number: 1,
    recordingSessionId: 'session',
    deviceId: null,
    start: { started_at: null },
    createdAt: '2026-04-01T09:30:00.000Z',
  },
  recorded,
);

test('[RUN-1] [RUN-6] an update changes what it names of the run, and nothing else', () => {
  const said = changedRun(run, { name: 'update_run', args: { run_id: 7, name: 'Early', tags: ['shift A'] } });
  expect(said).toStrictEqual({ ...run, name: 'Early', tags: ['shift A'] });
  const excluded = { reason: 'power cut' };
  const left = changedRun(said, { name: 'update_run', args: { run_id: 7, excluded } });
  expect(left).toStrictEqual({ ...said, excluded });
  const same = decided(left, { name: 'update_run', args: { run_id: 7, name: 'Early', excluded } });
  expect(same).toHaveProperty('changes', {});
  expect(changedRun(left, { name: 'update_run', args: { run_id: 7, excluded: null } })).toMatchObject({
    excluded: null,
  });
  const mixed = decided(left, { name: 'update_run', args: { run_id: 7, name: 'Early', note: 'Loud' } });
  expect(mixed).toStrictEqual({
    ok: true,
    changes: { changedRun: { ...left, note: 'Loud' } },
    affectedIds: { mapId, runId: 7 },
    idsTaken: 0,
  });
});

test('a run whose map is missing is a bug, and is not deleted', () => {
  const deletion = { name: 'delete_run', args: { run_id: 7 } } as const;
  expect(() => decided(run, deletion)).toThrow('run 7 has its map');
});

test('[RUN-12] a run keeps the first of the tags that differ only in case or in white space around them', () => {
  const tags = [' Shift A', 'shift a ', 'Line 2', 'SHIFT A', 'Cafe\u0301', 'CAFÉ'];
  const said = changedRun(run, { name: 'update_run', args: { run_id: 7, tags } });
  expect(said.tags).toEqual(['Shift A', 'Line 2', 'Cafe\u0301']);
});

test('[RUN-2] [RUN-3] [RUN-4] a correction is the next revision, and the recorded steps stay', () => {
  const split = [
    { stage_name: 'Load', order: 1, duration_secs: 50, work_type: 'valuable' as const },
    { stage_name: 'Clamp', order: 2, duration_secs: 10, work_type: 'valuable' as const },
    { stage_name: 'Wait', order: 3, duration_secs: 20 },
  ];
  const once = changedRun(run, { name: 'correct_run', args: { run_id: 7, steps: split } });
  expect(once).toMatchObject({ revision: 2, step_count: 3, total_time_secs: 80, value_add_time_secs: 60, pce: 0.75 });
  expect(once.recorded_steps).toStrictEqual(recorded);
  const same = decided(once, { name: 'correct_run', args: { run_id: 7, steps: split } });
  expect(same).toHaveProperty('changes', {});
  const twice = changedRun(once, { name: 'correct_run', args: { run_id: 7, steps: split.slice(0, 1) } });
  expect(twice).toMatchObject({ revision: 3, step_count: 1, recorded_steps: recorded });
});

test('[RUN-2] a correction names a repeated order, and a run that is not there', () => {
  const twice = recorded.map((step) => ({ ...step, order: 1 }));
  expect(decided(run, { name: 'correct_run', args: { run_id: 7, steps: twice } })).toMatchObject({
    ok: false,
    error: { code: 'validation_failed', errors: [{ path: '/steps/1/order' }] },
  });
  for (const mutation of [
    { name: 'correct_run', args: { run_id: 8, steps: recorded } },
    { name: 'update_run', args: { run_id: 8, name: 'X' } },
  ] as const) {
    expect(decided(run, mutation)).toMatchObject({ ok: false, error: { code: 'run_not_found' } });
  }
});

function changedRun(before: RunDoc, mutation: Mutation): RunDoc {
  const outcome = decided(before, mutation);
  if (!outcome.ok || !outcome.changes.changedRun) throw new Error(`no changed run: ${JSON.stringify(outcome)}`);
  expect(Object.keys(outcome.changes)).toEqual(['changedRun']);
  return outcome.changes.changedRun;
}

function decided(before: RunDoc, mutation: Mutation): ApplyOutcome {
  const state: DomainState = {
    map: () => undefined,
    run: (id) => (id === before.id ? before : undefined),
    runWithSteps: (id) => (id === before.id ? before : undefined),
    isRunIdTaken: () => false,
    isStageIdTaken: () => false,
    recordingSession: () => undefined,
    newestRun: () => undefined,
    mapUsage: () => undefined,
  };
  return apply(state, mutation, { now: '2026-04-02T09:30:00.000Z', deviceId: null, firstFreeId: 1, fingerprint: '' });
}
