import { expect, test } from 'vitest';
import { tally, type Report, type Step } from './tally.ts';

const steps = (failed: Step['name'][]): Step[] =>
  (['check', 'test', 'bench'] as const).map((name) => ({ name, ok: !failed.includes(name) }));

const file = (...statuses: string[]): Report['testResults'][number] => ({
  name: 'some.test.ts',
  status: statuses.length > 0 && statuses.every((status) => status === 'passed') ? 'passed' : 'failed',
  assertionResults: statuses.map((status, index) => ({ fullName: `test ${index}`, status })),
});

function report(...testResults: Report['testResults']): Report {
  const count = (wanted: string) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted).length;
  return { numPassedTests: count('passed'), numFailedTests: count('failed'), testResults };
}

test.each([
  ['all is well', steps([]), report(file('passed', 'passed'), file('passed')), { passed: 3, failed: 0 }],
  ['a test failed', steps(['test']), report(file('passed', 'failed')), { passed: 1, failed: 1 }],
  ['a file could not be loaded', steps(['test']), report(file('passed'), file()), { passed: 1, failed: 1 }],
  ['an error was thrown outside tests', steps(['test']), report(file('passed')), { passed: 1, failed: 1 }],
  ['the test run crashed', steps(['test']), undefined, { passed: 0, failed: 1 }],
  ['the checks failed', steps(['check']), report(file('passed')), { passed: 1, failed: 1 }],
  ['everything failed', steps(['check', 'test', 'bench']), report(file('failed')), { passed: 0, failed: 3 }],
])('[HOUSE-7] the gate counts honestly when %s', (_when, ran, found, figures) => {
  expect(tally(ran, found)).toEqual(figures);
});
