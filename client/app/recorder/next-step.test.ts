import { expect, test } from 'vitest';
import { isCycleComplete, nextStage, stageSteps, stepToStart, type StepToStart } from './next-step.ts';
import { stepOfTypedName, stepSuggestions } from './step-suggestions.ts';

const step = (stage_name: string): StepToStart => ({ stage_name, work_type: 'valuable' });
const phone: StepToStart = { stage_name: 'Interruption', work_type: 'waste', interruption: true };
const stages = ['Load', 'Press', 'Pack'].map((stage) => ({ stage, work_type: 'valuable' as const }));
const nameAfter = (...steps: StepToStart[]) => nextStage(stages, steps)?.stage_name;

test('[APP-186] behind an interruption the interrupted stage goes on, then the next one', () => {
  expect(nameAfter()).toBe('Load');
  expect(nameAfter(step('Load'), phone)).toBe('Load');
  expect(nameAfter(step('Load'), phone, phone)).toBe('Load');
  expect(nameAfter(step('Load'), phone, step('Load'))).toBe('Press');
  expect(nameAfter(step('Load'), step('Oil'), phone)).toBe('Oil');
  expect(nameAfter(phone)).toBe('Load');
  expect(nextStage([{ stage: 'Interruption', work_type: 'waste' }], [step('Load'), phone])?.stage_name).toBe('Load');
});

test('[APP-186] an interruption and the rest of a stage do not count', () => {
  const steps = [step('Step 1'), phone, step('Step 1')];
  expect(stageSteps(steps)).toHaveLength(1);
  expect(stepToStart([], steps, undefined).stage_name).toBe('Step 2');
  expect(stageSteps([step('A'), step('A')])).toHaveLength(2);
});

test('[APP-430] stages of one name are recorded one after the other', () => {
  const walks = ['Walk', 'Pick', 'Walk', 'Place'].map((stage) => ({ stage, work_type: 'waste' as const }));
  const next = (...names: string[]) => nextStage(walks, names.map(step))?.stage_name;
  expect([next('Walk'), next('Walk', 'Pick'), next('Walk', 'Pick', 'Walk')]).toEqual(['Pick', 'Walk', 'Place']);
  expect(next('Walk', 'Pick', 'Walk', 'Place')).toBeUndefined();
  expect(next('Walk', 'Walk')).toBe('Pick');
  expect(next('Walk', 'Sweep', 'Pick', 'Place', 'Pick')).toBe('Walk');
});

test('[APP-444] a typed name of a known stage is that stage, whatever its case', () => {
  expect(stepOfTypedName(stages, [], { name: ' PRESS ' })).toEqual({ stage_name: 'Press', work_type: 'valuable' });
  expect(stepOfTypedName(stages, [], { name: 'Presses' })).toEqual({ stage_name: 'Presses', work_type: 'incidental' });
  expect(stepOfTypedName(stages, [], { name: 'press', type: 'waste' })).toEqual({
    stage_name: 'Press',
    work_type: 'waste',
  });
});

test('[APP-183] a cycle is complete after the last stage, unless that is interrupted', () => {
  const isComplete = (...steps: StepToStart[]) => isCycleComplete(stages, steps);
  expect(isComplete(step('Load'), step('Pack'))).toBe(true);
  expect(isComplete(step('Pack'), phone)).toBe(false);
  expect(isComplete(step('Press'))).toBe(false);
  expect(isComplete()).toBe(false);
  expect(isCycleComplete([], [step('Load')])).toBe(false);
});

test('[APP-503] a stage that was renamed after its step began keeps its place', () => {
  const renamed = stages.map((stage) =>
    stage.stage === 'Press' ? { ...stage, stage: 'Stamp', aliases: ['Press', 'Step 2'] } : stage,
  );
  expect(nextStage(renamed, [step('Load'), step('Press')])?.stage_name).toBe('Pack');
  expect(nextStage(renamed, [step('Load'), step('step 2 ')])?.stage_name).toBe('Pack');
  const end = [{ stage: 'Store', aliases: ['Pack'], work_type: 'waste' as const }];
  expect(isCycleComplete(end, [step('Pack')])).toBe(true);
  expect(stepOfTypedName(renamed, [], { name: 'press' })).toEqual({ stage_name: 'Stamp', work_type: 'valuable' });
  const recorded = { ...step('Press'), notes: '', started_at: '', duration_secs: null, interruption: false };
  expect(stepSuggestions(renamed, [recorded]).map(({ stage_name }) => stage_name)).toEqual(['Pack', 'Load', 'Stamp']);
});
