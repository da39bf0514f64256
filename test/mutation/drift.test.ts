import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { allFaultProblems, faultProblems, tableProblems, withFault } from './drift.ts';
import { faults } from './faults/all.ts';
import type { Fault } from './faults/fault.ts';
import { catchersIn, tableDocument } from './table.ts';

const fault: Fault = {
  name: 'lose it',
  harm: 'It is lost.',
  file: 'a.ts',
  find: 'keep();',
  replace: '',
  tests: ['a.test.ts'],
};

test('[FAULT-1] a test catches each of the deliberate faults, of which there are at least 40', () => {
  expect(faults.length).toBeGreaterThanOrEqual(40);
  expect(allFaultProblems(resolve(import.meta.dirname, '../..'))).toEqual([]);
});

test('[FAULT-2] a fault whose text is gone, stands twice or changes nothing is named, and so is one that stands twice in the list', () => {
  const problemsIn = (source: string, list: Fault[] = [fault]) => faultProblems(list, () => source);

  expect(problemsIn('keep();')).toEqual([]);
  expect(problemsIn('kept();')).toEqual(['lose it: its text stands 0 times in a.ts']);
  expect(problemsIn('keep(); keep();')).toEqual(['lose it: its text stands 2 times in a.ts']);
  expect(problemsIn('keep();', [{ ...fault, replace: 'keep();' }])).toEqual(['lose it: changes nothing']);
  expect(problemsIn('keep();', [fault, fault])).toEqual(['lose it: stands twice in the list']);
  expect(withFault('a $& keep(); b', { find: 'keep();', replace: '$&' })).toBe('a $& $& b');
});

test('[FAULT-3] a fault that no test caught, or that is in the table alone, is named', async () => {
  const document = (caught: string[]) => tableDocument([fault], new Map([['lose it', caught]]));

  expect(tableProblems([fault], await document(['OUTBOX-1', 'OUTBOX-2']))).toEqual([]);
  expect(tableProblems([fault], await document([]))).toEqual(['lose it: npm run mutate has no test for it']);
  expect(tableProblems([fault], '')).toEqual(['lose it: npm run mutate has no test for it']);
  expect(tableProblems([], await document(['OUTBOX-1']))).toEqual(['lose it: is in the table alone']);
  expect(catchersIn(await document(['OUTBOX-1', 'OUTBOX-2']))).toEqual(
    new Map([['lose it', ['OUTBOX-1', 'OUTBOX-2']]]),
  );
});
