import { expect, test } from 'vitest';
import type { PushedMutation } from '../../../shared/protocol/push.ts';
import { AccountModel } from './model.ts';

const take = (model: AccountModel, name: PushedMutation['name'], args: Record<string, unknown>) =>
  model.take({ name, args } as Pick<PushedMutation, 'name' | 'args'>);

test('[SIM-18] the model has what the mutations say, one after the other', () => {
  const model = new AccountModel();
  take(model, 'create_map', { map_id: 'm', name: ' Saw ' });
  take(model, 'add_stage', { map_id: 'm', stage_id: 1, stage: 'load' });
  take(model, 'add_stage', { map_id: 'm', stage_id: 2, stage: 'cut', order: 1 });
  take(model, 'update_stage', { map_id: 'm', stage_id: 1, stage: 'unload' });
  expect(model.maps.get('m')).toMatchObject({
    name: 'Saw',
    isDeleted: false,
    stages: [{ name: 'cut' }, { name: 'unload' }],
  });
  take(model, 'reorder_stages', { map_id: 'm', stage_ids: [1, 2] });
  take(model, 'delete_stage', { map_id: 'm', stage_id: 2 });
  take(model, 'delete_map', { map_id: 'm' });
  expect(model.maps.get('m')).toMatchObject({ isDeleted: true, stages: [{ id: 1, name: 'unload' }] });
});

test('[SIM-18] a recording that comes twice is one run of the model, and replaces the stages', () => {
  const model = new AccountModel();
  const recording = {
    recording_session_id: 's',
    run_id: 7,
    stage_ids: [1, 2],
    steps: [{ stage_name: 'a' }, { stage_name: 'b' }],
  };
  take(model, 'record_new_map', { map_id: 'm', name: 'Saw', ...recording });
  take(model, 'record_new_map', { map_id: 'n', name: 'Saw', ...recording });
  expect([...model.maps.keys()]).toEqual(['m']);
  expect(model.maps.get('m')?.runs).toEqual(new Map([['s', 'a b']]));
  expect(model.maps.get('m')?.stages).toEqual([
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ]);
  take(model, 'delete_run', { run_id: 7 });
  expect(model.maps.get('m')?.runs.size).toBe(0);
});
