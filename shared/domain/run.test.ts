import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { fingerprintText } from './recording-fingerprint.ts';
import { sortBySteps, stagesFromSteps, toRunSteps, stepOrderErrors } from './run.ts';

const steps = [
  { stage_name: ' Weld ', order: 30, duration_secs: 5, value_add: true },
  { stage_name: 'Setup', order: 10, duration_secs: 2, notes: 'cold', photos: ['photo:1'], duration_estimated: true },
];

test('[RECORDING-6] steps are taken in the order of `order`, with positions 1..n and defaults for what was left out', () => {
  expect(toRunSteps(steps)).toStrictEqual([
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
  expect(sortBySteps(steps, ['of Weld', 'of Setup'])).toStrictEqual(['of Setup', 'of Weld']);
});

test('[RECORDING-5] each step makes a stage with its time in hours and no wait, under the id that is given for it', () => {
  const of = { map_id: 'map', wait_time_hrs: 0 };
  expect(stagesFromSteps('map', toRunSteps(steps), [7, 9])).toStrictEqual([
    { ...of, id: 7, stage: 'Setup', order: 1, cycle_time_hrs: 2 / 3600, work_type: 'incidental', value_add: false },
    { ...of, id: 9, stage: 'Weld', order: 2, cycle_time_hrs: 5 / 3600, work_type: 'valuable', value_add: true },
  ]);
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
  const spelledOut = toRunSteps(steps).map((step) => ({ ...step, order: step.order * 7 }));
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

test('[RECORDING-11] version 1 of the fingerprint has the bytes of which servers keep hashes', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const ofMap = fingerprintText({ mapId: '01a1fc69-d7f9-71cc-87c5-bdeac5a21ee6' }, steps);
  expect(ofMap).toBe(
    '[["map","01a1fc69-d7f9-71cc-87c5-bdeac5a21ee6"],[["Setup",1,2,true,"incidental",false,"cold",["photo:1"]],["Weld",2,5,false,"valuable",true,"",[]]]]',
  );
  expect(hash(ofMap)).toBe('e819371bcd565b103643628644048eea86022a4a79e58d541d1a386723ce8610');
  const ofNewMap = fingerprintText({ newMapName: ' Käse ' }, steps.slice(0, 1));
  expect(ofNewMap).toBe('[["new","Käse"],[["Weld",1,5,false,"valuable",true,"",[]]]]');
  expect(hash(ofNewMap)).toBe('905da9fa6493a3fd534657e056148372afa7849a9cd90934691fe31a6ee6484d');
});
