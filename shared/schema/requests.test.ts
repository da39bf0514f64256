import { Ajv2020 } from 'ajv/dist/2020.js';
import { customKeywords } from './field-errors.ts';
import { expect, test } from 'vitest';
import { PushRequest } from '../protocol/push.ts';
import { AccountPatch, NewAccount } from './account.ts';
import { isInstant } from './instant.ts';
import { mutationsPerPushMax, nameLengthMax, runsPerCompareMax } from './limits.ts';
import { CompareRequest, RunPatch } from './run.ts';

const ajv = new Ajv2020({ keywords: customKeywords, formats: { instant: isInstant } });
const integersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('[SCHEMA-14] a comparison takes 1 to 50 distinct run ids', () => {
  const fits = ajv.compile(CompareRequest);
  expect(fits({ run_ids: [1] })).toBe(true);
  expect(fits({ run_ids: integersUpTo(runsPerCompareMax) })).toBe(true);
  for (const run_ids of [[], [1, 1], integersUpTo(runsPerCompareMax + 1), ['1'], [0]])
    expect(fits({ run_ids })).toBe(false);
  expect(fits({ run_ids: [1], limit: 5 })).toBe(false);
});

test('[RUN-10] the name of a run is empty or can be seen', () => {
  const fits = ajv.compile(RunPatch);
  for (const name of ['', 'Early shift', ' \u200bA']) expect([name, fits({ name })]).toEqual([name, true]);
  for (const name of [' ', '\u200b', '\u2800\u3164', 'A'.repeat(nameLengthMax + 1)]) {
    expect([name, fits({ name })]).toEqual([name, false]);
  }
});

test('[SCHEMA-15] [SCHEMA-19] an account has a name, a plan and seats', () => {
  const fits = ajv.compile(NewAccount);
  expect(fits({ name: 'Foundry', plan: 'free' })).toBe(true);
  expect(fits({ name: 'Foundry', plan: 'team', seats: 0 })).toBe(true);
  for (const body of [
    { name: 'Foundry' },
    { plan: 'free' },
    { name: ' ', plan: 'free' },
    { name: 'Foundry', plan: 'gold' },
  ]) {
    expect(fits(body)).toBe(false);
  }
  const fitsPatch = ajv.compile(AccountPatch);
  expect(fitsPatch({})).toBe(true);
  expect(fitsPatch({ additional_seats: 3 })).toBe(true);
  expect(fitsPatch({ additional_seats: -1 })).toBe(false);
  expect(fitsPatch({ seats: 3 })).toBe(false);
});

test('[SCHEMA-16] [SCHEMA-18] the envelope of a push looks at nothing of a mutation', () => {
  const fits = ajv.compile(PushRequest);
  const push = (mutations: unknown) =>
    fits({ client_id: '0196a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', acked_seq: 0, mutations });
  expect(push([])).toBe(true);
  expect(push([{ seq: 1, name: 7, args: 'broken', what: null }])).toBe(true);
  for (const seq of [0, -1, 1.5, 2 ** 53, '1', undefined]) expect(push([{ seq }])).toBe(true);
  for (const broken of [null, 5, 'x', []]) expect(push([broken])).toBe(true);
  expect(push(integersUpTo(mutationsPerPushMax).map((seq) => ({ seq })))).toBe(true);
  expect(push(integersUpTo(mutationsPerPushMax + 1).map((seq) => ({ seq })))).toBe(false);
});
