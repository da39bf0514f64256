import type { RunStep } from '../../../client.ts';
import { expect, test } from 'vitest';
import {
  changeStep,
  joinWithNextStep,
  splitStep,
  toRecordingSteps,
  totalSecsOf,
  removeStep,
} from './corrected-steps.ts';

const step = (order: number, stage_name: string, duration_secs: number, notes = ''): RunStep => ({
  order,
  stage_name,
  duration_secs,
  duration_estimated: order === 2,
  work_type: 'incidental',
  value_add: false,
  notes,
  photos: [`photo-${order}`],
});
const steps = [step(1, 'Load', 10.1, 'Heavy'), step(2, 'Press', 20.2, 'Loud'), step(3, 'Inspect', 5)];
const summary = (list: RunStep[]) =>
  list.map(({ order, stage_name, duration_secs }) => [order, stage_name, duration_secs]);

test('[APP-164] steps are renamed, split, joined and deleted, and keep their order and their time', () => {
  expect(changeStep(steps, 1, { stage_name: 'Weld', work_type: 'valuable' })[1]).toMatchObject({
    order: 2,
    stage_name: 'Weld',
    work_type: 'valuable',
    notes: 'Loud',
  });
  const split = splitStep(steps, 0, 4.2);
  expect(summary(split)).toEqual([
    [1, 'Load', 4.2],
    [2, 'Load', 5.9],
    [3, 'Press', 20.2],
    [4, 'Inspect', 5],
  ]);
  expect([split[0]?.notes, split[1]?.notes, split[1]?.photos]).toEqual(['Heavy', '', []]);
  const joined = joinWithNextStep(steps, 0);
  expect(summary(joined)).toEqual([
    [1, 'Load', 30.3],
    [2, 'Inspect', 5],
  ]);
  expect(joined[0]).toMatchObject({ notes: 'Heavy\nLoud', photos: ['photo-1', 'photo-2'], duration_estimated: true });
  expect(joinWithNextStep(steps, 2)).toEqual(steps);
  expect(totalSecsOf(split)).toBe(totalSecsOf(joined));
  expect(summary(removeStep(steps, 1))).toEqual([
    [1, 'Load', 10.1],
    [2, 'Inspect', 5],
  ]);
  expect(toRecordingSteps(steps).some((sent) => 'value_add' in sent)).toBe(false);
});
