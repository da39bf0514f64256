import { expect, test } from 'vitest';
import type { PushedMutation } from '../../../shared/protocol/push.ts';
import { AccountHistory, contentOf } from './account-history.ts';
import { Facts } from './facts.ts';

const made = (name: PushedMutation['name'], args: object) => ({ name, args }) as Pick<PushedMutation, 'name' | 'args'>;
const saw = (name: string) =>
  contentOf([{ id: 'm', name, isDeleted: false, stages: [], runs: new Map<string, string>() }]);

test('[SIM-32] a content has a place for each time at which the account had it', () => {
  const history = new AccountHistory();
  history.take(made('create_map', { map_id: 'm', name: 'Saw' }));
  history.take(made('update_map', { map_id: 'm', name: 'Drill' }));
  history.take(made('update_map', { map_id: 'm', name: 'Saw' }));
  expect(history.placeOf('all', '', 0)).toBe(0);
  expect(history.placeOf('all', saw('Saw'), 0)).toBe(1);
  expect(history.placeOf('all', saw('Saw'), 2)).toBe(3);
  expect(history.placeOf('all', saw('Drill'), 3)).toBeUndefined();
  expect(history.placeOf('all', saw('Press'), 0)).toBeUndefined();
});

test('[SIM-32] a part of a content has a place where the account had all of it at once', () => {
  const history = new AccountHistory();
  for (const id of ['m1', 'm2']) history.take(made('create_map', { map_id: id, name: 'Saw' }));
  history.take(made('update_map', { map_id: 'm1', name: 'Drill' }));
  const shown = (id: string, name: string) => ({ id, name, isDeleted: false, stages: [], runs: undefined });
  expect(history.placeOfPart([shown('m2', 'Saw')], 0)).toBe(2);
  expect(history.placeOfPart([shown('m2', 'Saw'), shown('m1', 'Drill')], 0)).toBe(3);
  expect(history.placeOfPart([shown('m2', 'Drill')], 0)).toBeUndefined();
  expect(history.placeOfPart([shown('m1', 'Saw')], 3)).toBeUndefined();
  const run = { ...shown('m1', 'Drill'), runs: new Map([['s', 't1']]) };
  expect(history.placeOfPart([run], 0)).toBeUndefined();
});

test('[SIM-32] a restore is one more content, from which the account goes on', () => {
  const history = new AccountHistory();
  history.take(made('create_map', { map_id: 'm', name: 'Saw' }));
  history.restore([]);
  history.take(made('create_map', { map_id: 'm', name: 'Drill' }));
  expect(history.placeOf('all', '', 1)).toBe(2);
  expect(history.placeOf('all', saw('Drill'), 0)).toBe(3);
});

test('[SIM-35] steps are taps of their session in their order, and a run has those of a finish', () => {
  const facts = new Facts();
  for (const tap of ['t1', 't2', 't10']) facts.tapped('s', tap);
  expect(facts.areTaps('s', ['t1', 't10'])).toBe(true);
  expect(facts.areTaps('s', ['t10', 't2'])).toBe(false);
  expect(facts.areTaps('s', ['t1', 't1'])).toBe(false);
  expect(facts.areTaps('s', ['t3'])).toBe(false);
  const step = (stage_name: string) => ({ stage_name, notes: '' });
  facts.finishing('s', [step('t1'), step('t2')], { isUnsure: false });
  expect(facts.areFinished('s', ['t1', 't2'])).toBe(true);
  expect(facts.areFinished('s', ['t1'])).toBe(false);
  facts.finishing('s', [step('t1')], { isUnsure: true });
  expect(facts.areFinished('s', ['t2', 't10'])).toBe(true);
});
