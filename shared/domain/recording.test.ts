import { expect, test } from 'vitest';
import { fingerprintText, inStepOrder, runSteps, stepOrderErrors } from './recording.ts';

const steps = [
  { stage_name: ' Weld ', order: 30, duration_secs: 5, value_add: true },
  { stage_name: 'Setup', order: 10, duration_secs: 2, notes: 'cold', photos: ['photo:1'], duration_estimated: true },
];

test('[RECORDING-6] steps are taken in the order of `order`, with positions 1..n and defaults for what was left out', () => {
  expect(runSteps(steps)).toStrictEqual([
    {
      stage_name: 'Setup',
      order: 1,
      duration_secs: 2,
      duration_estimated: true,
      work_type: 'incidental',
      value_add: false,
      notes: 'cold',
      photos: ['photo:1'],
    },
    {
      stage_name: 'Weld',
      order: 2,
      duration_secs: 5,
      duration_estimated: false,
      work_type: 'valuable',
      value_add: true,
      notes: '',
      photos: [],
    },
  ]);
  expect(inStepOrder(steps, ['of Weld', 'of Setup'])).toStrictEqual(['of Setup', 'of Weld']);
});

test('[RECORDING-7] two steps with one order are told, with the path of the second', () => {
  expect(stepOrderErrors(steps)).toStrictEqual([]);
  expect(stepOrderErrors([...steps, steps[0]!, steps[0]!])).toStrictEqual([
    { path: '/steps/2/order', message: 'order 30 stands twice in the recording' },
    { path: '/steps/3/order', message: 'order 30 stands twice in the recording' },
  ]);
});

test('[RECORDING-8] the fingerprint tells targets and steps apart, and nothing else', () => {
  const text = fingerprintText({ mapId: 'a' }, steps);
  expect(fingerprintText({ mapId: 'a' }, steps.toReversed())).toBe(text);
  const spelledOut = runSteps(steps).map((step) => ({ ...step, order: step.order * 7 }));
  expect(fingerprintText({ mapId: 'a' }, spelledOut)).toBe(text);

  expect(fingerprintText({ mapId: 'b' }, steps)).not.toBe(text);
  expect(fingerprintText({ newMapName: 'a' }, steps)).not.toBe(text);
  expect(fingerprintText({ newMapName: ' a ' }, steps)).toBe(fingerprintText({ newMapName: 'a' }, steps));
  const variations = [
    { stage_name: 'Weld 2' },
    { duration_secs: 5.001 },
    { notes: 'hot' },
    { photos: ['photo:2'] },
    { duration_estimated: true },
    { work_type: 'waste' as const },
    { order: 1 },
  ];
  for (const variation of variations) {
    const changed = [{ ...steps[0]!, ...variation }, steps[1]!];
    expect(fingerprintText({ mapId: 'a' }, changed), JSON.stringify(variation)).not.toBe(text);
  }
});
