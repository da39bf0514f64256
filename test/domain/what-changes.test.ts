/** Examples of what one mutation changes, and of what it leaves, which the properties leave open. */
import { expect, test } from 'vitest';
import type { ApplyOutcome } from '../../shared/domain/state.ts';
import { deviceMadeIdMin } from '../../shared/schema/limits.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import type { Stage } from '../../shared/schema/stage.ts';
import { AccountModel } from './account-model.ts';
import { mapIdOf } from './mutations.ts';

const map_id = mapIdOf(1);
const now = '2026-04-01T09:30:00.000Z';
const later = '2026-04-01T10:30:00.000Z';
const [load, press, pack] = [deviceMadeIdMin + 1, deviceMadeIdMin + 2, deviceMadeIdMin + 3];

/** An account with one map, of the stages Load, Press and Pack. */
function createModel(): { model: AccountModel; map: MapDoc; stages: [Stage, Stage, Stage] } {
  const model = new AccountModel();
  commit(model, { name: 'create_map', args: { map_id, name: 'Line 1', industry: 'steel' } });
  for (const [stage_id, stage] of [
    [load, 'Load'],
    [press, 'Press'],
    [pack, 'Pack'],
  ] as const) {
    commit(model, { name: 'add_stage', args: { map_id, stage, stage_id, cycle_time_hrs: 1 } });
  }
  const map = model.map(map_id)!;
  const [first, second, third] = map.stages;
  return { model, map, stages: [first!, second!, third!] };
}

function commit(model: AccountModel, mutation: Mutation, time = now): ApplyOutcome {
  const outcome = model.commit(mutation, { now: time });
  expect(outcome.ok, JSON.stringify(outcome)).toBe(true);
  return outcome;
}

/** Applies the mutation to a map with three stages and returns the map that it writes; undefined if it writes none. */
function changedBy(mutation: Mutation): MapDoc | undefined {
  const outcome = commit(createModel().model, mutation, later);
  return outcome.ok ? outcome.changes.map : undefined;
}

const nothing = (affectedIds: object) => ({ ok: true, changes: {}, affectedIds, idsTaken: 0 });

test('[DOMAIN-3] a new map has the fields that were given, without white space around its name, and is empty', () => {
  const made = (args: Extract<Mutation, { name: 'create_map' }>['args']) => {
    const outcome = commit(new AccountModel(), { name: 'create_map', args });
    return outcome.ok ? outcome.changes.map : undefined;
  };
  const empty = {
    id: map_id,
    name: 'Line 1',
    industry: '',
    description: '',
    state: 'current',
    archived: false,
    deleted: false,
    deleted_at: null,
    created_at: now,
    updated_at: now,
    version: 0,
    created_version: 0,
    stage_count: 0,
    run_count: 0,
    last_run_at: null,
    last_run_number: 0,
    stages: [],
  };
  expect(made({ map_id, name: ' Line 1 ' })).toStrictEqual(empty);
  const fields = { industry: 'steel', description: 'Hot', state: 'future' } as const;
  expect(made({ map_id, name: 'Line 1', ...fields })).toStrictEqual({ ...empty, ...fields });
});

test('[DOMAIN-12] a change of a map writes what differs, and nothing where no field differs', () => {
  const { model, map } = createModel();
  const change = (args: object): Mutation => ({ name: 'update_map', args: { map_id, ...args } });
  expect(changedBy(change({ name: ' Line 2 ', industry: 'steel' }))).toEqual({
    ...map,
    name: 'Line 2',
    updated_at: later,
  });
  expect(changedBy(change({ archived: true }))).toEqual({ ...map, archived: true, updated_at: later });
  for (const same of [{}, { name: ' Line 1 ' }, { industry: 'steel', archived: false }]) {
    expect(commit(model, change(same), later)).toStrictEqual(nothing({ mapId: map_id }));
  }
});

test('[DOMAIN-10] [DOMAIN-12] a deleted map is restored where the account has room for it', () => {
  const model = new AccountModel({ plan: 'free' });
  const create = (id: string): Mutation => ({ name: 'create_map', args: { map_id: id, name: 'Line' } });
  const remove = (id: string): Mutation => ({ name: 'delete_map', args: { map_id: id } });
  for (const mutation of [create(map_id), create(mapIdOf(2)), remove(map_id), create(mapIdOf(3))]) {
    commit(model, mutation);
  }
  const restore: Mutation = { name: 'restore_map', args: { map_id } };
  expect(model.commit(restore, { now })).toMatchObject({ ok: false, error: { code: 'map_cap_reached' } });
  commit(model, remove(mapIdOf(3)));
  const map = model.map(map_id)!;
  expect(commit(model, restore, later)).toStrictEqual({
    ok: true,
    changes: { map: { ...map, deleted: false, deleted_at: null, updated_at: later } },
    affectedIds: { mapId: map_id },
    idsTaken: 0,
  });
  expect(commit(model, restore, later)).toStrictEqual(nothing({ mapId: map_id }));
});

test('[STAGE-4] [DOMAIN-12] a change of one stage leaves the others, and is none where no field differs', () => {
  const { model, map, stages } = createModel();
  const [first, second, third] = stages;
  const change = (args: object): Mutation => ({ name: 'update_stage', args: { map_id, stage_id: press, ...args } });
  expect(changedBy(change({ stage: ' Stamp ', cycle_time_hrs: 2 }))).toEqual({
    ...map,
    stages: [first, { ...second, stage: 'Stamp', cycle_time_hrs: 2, aliases: ['Press'] }, third],
    updated_at: later,
  });
  expect(changedBy(change({ aliases: ['Form'] }))?.stages[1]).toEqual({ ...second, aliases: ['Form'] });
  for (const same of [{}, { stage: 'Press', order: 2, cycle_time_hrs: 1 }]) {
    expect(commit(model, change(same), later)).toStrictEqual(nothing({ mapId: map_id, stageId: press }));
  }
});

test('[STAGE-1] a deleted stage leaves the others in their order', () => {
  const { model, map, stages } = createModel();
  const outcome = commit(model, { name: 'delete_stage', args: { map_id, stage_id: load } }, later);
  const [, second, third] = stages;
  const rest = [
    { ...second, order: 1 },
    { ...third, order: 2 },
  ];
  expect(outcome).toEqual({
    ok: true,
    changes: { map: { ...map, stages: rest, stage_count: 2, updated_at: later } },
    affectedIds: { mapId: map_id, stageId: load },
    idsTaken: 0,
  });
  const again = model.commit({ name: 'delete_stage', args: { map_id, stage_id: load } }, { now });
  expect(again).toMatchObject({ ok: false, error: { code: 'stage_not_found' } });
});

test('[STAGE-2] [DOMAIN-12] an order that differs in two places is written, and the order that is there already is not', () => {
  const { model, map, stages } = createModel();
  const reorder = (stage_ids: number[]): Mutation => ({ name: 'reorder_stages', args: { map_id, stage_ids } });
  const [first, second, third] = stages;
  expect(changedBy(reorder([load, pack, press]))).toEqual({
    ...map,
    stages: [first, { ...third, order: 2 }, { ...second, order: 3 }],
    updated_at: later,
  });
  expect(commit(model, reorder([load, press, pack]), later)).toStrictEqual(nothing({ mapId: map_id }));
});

test('[STAGE-13] [STAGE-15] a replacement writes a list that is shorter, longer or differs in one stage, and nothing for the same list', () => {
  const { model, map, stages } = createModel();
  const listed = stages.map(({ id, stage }) => ({ id, stage }));
  const replace = (list: object[]): Mutation =>
    ({ name: 'replace_stages', args: { map_id, stages: list } }) as Mutation;
  const namesAfter = (list: object[]) => changedBy(replace(list))?.stages.map(({ stage }) => stage);
  expect(namesAfter(listed.slice(0, 2))).toEqual(['Load', 'Press']);
  expect(namesAfter([...listed, { stage: 'Ship' }])).toEqual(['Load', 'Press', 'Pack', 'Ship']);
  const [first, second, third] = stages;
  const slower = [listed[0]!, { ...listed[1], cycle_time_hrs: 2 }, listed[2]!];
  expect(changedBy(replace(slower))).toEqual({
    ...map,
    stages: [first, { ...second, cycle_time_hrs: 2 }, third],
    updated_at: later,
  });
  expect(commit(model, replace(listed), later)).toStrictEqual(nothing({ mapId: map_id }));
  expect(commit(model, replace([{ stage: 'Ship' }, { stage: 'Bill' }]), later)).toMatchObject({
    changes: { map: { stages: [{ id: 1 }, { id: 2 }] } },
    affectedIds: { mapId: map_id },
    idsTaken: 2,
  });
});

test('[DOMAIN-9] [DOMAIN-14] a replacement keeps the ids that a client picked for new stages, and refuses those that it cannot have', () => {
  const { model } = createModel();
  const replace = (id: number): Mutation => ({
    name: 'replace_stages',
    args: { map_id, stages: [{ stage: 'Ship' }], stage_ids: [id] },
  });
  const refusalOf = (id: number) => model.commit(replace(id), { now });
  expect(refusalOf(7)).toMatchObject({ ok: false, error: { errors: [{ path: '/stage_ids/0' }] } });
  expect(refusalOf(load)).toMatchObject({ ok: false, error: { code: 'id_taken', members: { field: 'stage_ids' } } });
  expect(commit(model, replace(pack + 1), later)).toMatchObject({
    changes: { map: { stages: [{ id: pack + 1, stage: 'Ship' }], stage_count: 1 } },
    idsTaken: 0,
  });
});
