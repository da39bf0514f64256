/** Examples of the ids in single mutations, which the properties of references.test.ts leave open. */
import { expect, test } from 'vitest';
import { randomIds } from '../../../core/ids.ts';
import type { RefusedEntry } from '../entry.ts';
import { newMutation } from '../mutation.ts';
import { problem } from '../../../../test/device/outbox-content.ts';
import { needsNewIds, withNewIds } from './new-ids.ts';
import {
  changedIdsBetween,
  recordsCreatedBy,
  recordsReferencedBy,
  withChangedIds,
  type RecordReference,
} from './references.ts';

const steps = [
  { stage_name: 'Load', order: 1, duration_secs: 1 },
  { stage_name: 'Cut', order: 2, duration_secs: 1 },
];
const ids = { map_id: 'm', stage_id: 1, stage_ids: [2, 3], run_id: 4 };

test('[ATTENTION-9] every id of a mutation follows the records that have new ids, each by its kind', () => {
  const changed = new Map<RecordReference, string | number>([
    ['map|m', 'n'],
    ['stage|1', 11],
    ['stage|3', 13],
    ['run|4', 14],
  ]);
  const args = { ...ids, name: 'A' };
  expect(withChangedIds({ name: 'update_stage', args }, changed)).toEqual({
    name: 'update_stage',
    args: { map_id: 'n', stage_id: 11, stage_ids: [2, 13], run_id: 14, name: 'A' },
  });
  const other = new Map<RecordReference, string | number>([
    ['run|1', 5],
    ['stage|4', 6],
    ['map|1', 'o'],
  ]);
  expect(withChangedIds({ name: 'update_stage', args }, other).args).toEqual(args);
  expect(withChangedIds({ name: 'update_run', args: { name: 'A' } }, changed).args).toEqual({ name: 'A' });
  // Only a replacement of stages lists stages.
  const listed = { stages: [{ id: 1, stage: 'Load' }] };
  expect(withChangedIds({ name: 'update_map', args: listed }, changed).args).toEqual(listed);
  expect(withChangedIds({ name: 'replace_stages', args: { stages: 'none' } }, changed).args).toEqual({
    stages: 'none',
  });
  expect(withChangedIds({ name: 'replace_stages', args: {} }, changed).args).toEqual({});
});

test('[ATTENTION-9] ids of a wrong type are no references and stay', () => {
  const args = { map_id: 1, stage_id: '1', stage_ids: 'none', run_id: '4' };
  expect(recordsReferencedBy({ name: 'update_run', args })).toEqual([]);
  expect(withChangedIds({ name: 'update_run', args }, new Map([['map|1', 'n']])).args).toEqual(args);
  const some = { name: 'reorder_stages', args: { stage_ids: [1, '2'] } } as const;
  expect(recordsReferencedBy(some)).toEqual(['stage|1']);
  const stages = [null, 3, { id: '4' }, { id: 5 }];
  expect(recordsReferencedBy({ name: 'replace_stages', args: { stages } })).toEqual(['stage|5']);
});

test('[ATTENTION-9] the new ids are those of the records in their order, and ids that stay are left out', () => {
  const before = { name: 'record_new_map', args: ids } as const;
  const after = { name: 'record_new_map', args: { map_id: 'n', stage_ids: [1, 12], run_id: 14 } } as const;
  expect([...changedIdsBetween(before, after)]).toEqual([
    ['map|m', 'n'],
    ['stage|2', 12],
    ['run|4', 14],
  ]);
  expect([...changedIdsBetween(before, before)]).toEqual([]);
});

test('[ATTENTION-2] a mutation gets new ids for all that it creates, and another session only where that is asked for', () => {
  const drawn = (name: Parameters<typeof newMutation>[0]['name'], args: object, newSession?: boolean) =>
    withNewIds(newMutation({ name, args }), randomIds, newSession)?.args;
  const [id, text] = [expect.any(Number), expect.any(String)];
  const map = drawn('create_map', { map_id: 'm', name: 'A' });
  expect(map).toStrictEqual({ map_id: text, name: 'A' });
  expect(map).not.toHaveProperty('map_id', 'm');
  const stage = drawn('add_stage', { map_id: 'm', stage: 'A', stage_id: 1 });
  expect(stage).toStrictEqual({ map_id: 'm', stage: 'A', stage_id: id });
  expect(stage).not.toHaveProperty('stage_id', 1);
  const recording = { recording_session_id: 's', steps, run_id: 4, stage_ids: [2, 3] };
  const upload = drawn('upload_recording', { map_id: 'm', ...recording });
  expect(upload).toStrictEqual({ map_id: 'm', recording_session_id: 's', steps, run_id: id, stage_ids: [id, id] });
  expect(recordsCreatedBy({ name: 'upload_recording', args: upload! })).not.toContain('run|4');
  const recorded = drawn('record_new_map', { map_id: 'm', name: 'A', ...recording });
  expect(recorded).toMatchObject({ recording_session_id: 's', map_id: text, run_id: id, stage_ids: [id, id] });
  expect(recorded).not.toHaveProperty('map_id', 'm');
  for (const name of ['upload_recording', 'record_new_map'] as const) {
    const again = drawn(name, { map_id: 'm', name: 'A', ...recording }, true);
    expect(again).toMatchObject({ recording_session_id: text });
    expect(again).not.toHaveProperty('recording_session_id', 's');
  }
  expect(drawn('update_map', { map_id: 'm' })).toBeUndefined();
});

test('[ATTENTION-2] new ids are for a taken id of a mutation that creates a record, once', () => {
  const refused: RefusedEntry = {
    client_id: 'mine',
    name: 'create_map',
    args: { map_id: 'm', name: 'A' },
    recorded_at: '2026-03-01T08:00:00.000Z',
    state: 'refused',
    number: { kind: 'numbered', seq: 1 },
    error: problem('id_taken'),
    proven_at: null,
  };
  expect(needsNewIds(refused)).toBe(true);
  expect(needsNewIds({ ...refused, is_renewed: true })).toBe(false);
  expect(needsNewIds({ ...refused, error: problem('map_cap_reached') })).toBe(false);
  expect(needsNewIds({ ...refused, name: 'update_map' })).toBe(false);
});
