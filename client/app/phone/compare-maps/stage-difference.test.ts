import type { Stage } from '../../../client.ts';
import { expect, test } from 'vitest';
import { isUnchanged, leadTimeDifferenceHrs, pairStages } from './stage-difference.ts';

let lastId = 0;
const stage = (name: string, more: Partial<Stage> = {}): Stage => ({
  id: ++lastId,
  map_id: 'map',
  stage: name,
  order: 1,
  cycle_time_hrs: 1,
  wait_time_hrs: 0,
  work_type: 'valuable',
  value_add: true,
  ...more,
});
const namesOf = (left: Stage[], right: Stage[]) =>
  pairStages(left, right).map((row) => [row.left?.stage ?? '', row.right?.stage ?? '']);

test('[APP-269] stages of two maps match by name and by earlier names, and each stands in one row', () => {
  const left = [stage('Load'), stage('Press'), stage('Inspect'), stage('Move', { aliases: ['Carry'] })];
  const right = [stage('Scan'), stage(' LOAD'), stage('Stamp', { aliases: ['Press'] }), stage('Glue'), stage('Carry')];
  expect(namesOf(left, right)).toEqual([
    ['', 'Scan'],
    ['Load', ' LOAD'],
    ['Press', 'Stamp'],
    ['', 'Glue'],
    ['Inspect', ''],
    ['Move', 'Carry'],
  ]);
});

test('[APP-269] of stages with one name the first matches the first, and the rest stands alone', () => {
  expect(namesOf([stage('Weld'), stage('Turn'), stage('Weld')], [stage('Weld')])).toEqual([
    ['Weld', 'Weld'],
    ['Turn', ''],
    ['Weld', ''],
  ]);
  expect(namesOf([], [stage('A'), stage('B')])).toEqual([
    ['', 'A'],
    ['', 'B'],
  ]);
});

test('[APP-269] the difference of a row counts work and waiting, and a rounding error is none', () => {
  const row = { left: stage('Load', { wait_time_hrs: 2 }), right: stage('Load', { wait_time_hrs: 0.5 }) };
  expect(leadTimeDifferenceHrs(row)).toBe(-1.5);
  expect(leadTimeDifferenceHrs({ left: stage('Load') })).toBe(-1);
  expect(isUnchanged(row)).toBe(false);
  expect(isUnchanged({ left: stage('Load'), right: stage('load', { cycle_time_hrs: 1 + 1e-9 }) })).toBe(true);
  expect(isUnchanged({ right: stage('Load', { cycle_time_hrs: 0 }) })).toBe(false);
});
