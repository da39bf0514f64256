import { expect, test } from 'vitest';
import { runOf, toRunSteps } from '../../../shared/domain/run.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { mutationPayload, type PendingEntry } from '../../outbox/model/entry.ts';
import { lostRunChanges } from './lost-run-changes.ts';

const steps = (...names: string[]) =>
  toRunSteps(names.map((stage_name, order) => ({ stage_name, order, duration_secs: 1 })));
const head = { id: 7, mapId: 'm', number: 1, recordingSessionId: 's', deviceId: null, start: { started_at: null } };
const recorded: RunDoc = { ...runOf({ ...head, createdAt: '2026-01-01T00:00:00.000Z' }, steps('Cut')), version: 5 };
const pulled: RunDoc = { ...recorded, steps: steps('Cut it'), revision: 3, version: 9, note: 'Loud', tags: ['early'] };
const said = { note: 'Loud', tags: ['early'] };

const lost = (restored: RunDoc | undefined, pending: Pick<PendingEntry, 'name' | 'args'>[] = []) =>
  lostRunChanges({
    before: [pulled],
    restored: new Map(restored ? [[7, restored]] : []),
    unsettled: pending.map((mutation, index) => ({
      client_id: 'c',
      recorded_at: '2026-01-01T00:00:00.000Z',
      proven_at: null,
      state: 'pending',
      seq: index + 1,
      payload: mutationPayload,
      ...mutation,
    })),
  }).map(({ name, args }) => [name, args]);
const correction = ['correct_run', { run_id: 7, steps: [expect.objectContaining({ stage_name: 'Cut it' })] }];
const update = (fields: object) => ['update_run', { run_id: 7, ...fields }];

test('[RUN-13] an older state of a run, or none, gets all that it lacks', () => {
  expect(lost(recorded)).toEqual([correction, update({ tags: ['early'], note: 'Loud' })]);
  expect(lost(undefined)).toEqual([correction, update({ tags: ['early'], note: 'Loud' })]);
  const other = { ...recorded, revision: 2, steps: steps('Saw'), note: 'Quiet', name: 'First' };
  expect(lost(other)).toEqual([correction, update({ name: '', tags: ['early'], note: 'Loud' })]);
  expect(lost(pulled)).toEqual([]);
});

test('[RUN-13] a run that was sent anew gets what it lacks, and one that was written since keeps what it has', () => {
  const anew = { ...recorded, version: 50, created_at: '2026-01-02T00:00:00.000Z', note: 'Said since' };
  expect(lost(anew)).toEqual([correction, update({ tags: ['early'] })]);
  expect(lost({ ...pulled, version: 50, note: '', tags: [] })).toEqual([]);
  expect(lost({ ...pulled, version: 50, revision: 4, steps: steps('Other') })).toEqual([]);
  expect(lost({ ...pulled, version: 50, revision: 2, steps: steps('Other') })).toEqual([]);
  expect(lost({ ...anew, revision: 2, steps: steps('Other') })).toEqual([update({ tags: ['early'] })]);
});

test('[RUN-13] what the device will send anyway is not put back before it', () => {
  const correct = { name: 'correct_run' as const, args: { run_id: 7, steps: [] } };
  expect(lost(recorded, [correct])).toEqual([update(said)]);
  const note = { name: 'update_run' as const, args: { run_id: 7, note: 'New' } };
  expect(lost(recorded, [note])).toEqual([correction, update({ tags: ['early'] })]);
  expect(lost(recorded, [{ name: 'delete_run', args: { run_id: 7 } }])).toEqual([]);
  expect(lost(recorded, [{ name: 'delete_run', args: { run_id: 8 } }])).toHaveLength(2);
});
