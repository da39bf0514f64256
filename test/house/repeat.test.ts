import { describe, expect, test } from 'vitest';
import { describeFailures, filesToRepeat, passedOnlyAgain, withRepeated } from './repeat.ts';
import type { FileReport, Report } from './tally.ts';

describe('[HOUSE-34] a failed test file runs once more by itself:', () => {
  const passing = file('a.test.ts', { one: 'passed' });
  const failing = file('b.test.ts', { two: 'failed', three: 'passed' });

  test('nothing runs again where nothing failed, there is no report, or more than 6 files failed', () => {
    expect(filesToRepeat(report(passing))).toEqual([]);
    expect(filesToRepeat(undefined)).toEqual([]);
    const many = Array.from({ length: 7 }, (_, index) => file(`${index}.test.ts`, { test: 'failed' }));
    expect(filesToRepeat(report(...many))).toEqual([]);
    expect(filesToRepeat(report(passing, ...many.slice(1)))).toHaveLength(6);
  });

  test('each failure is described by the beginning of its reason, also that of a file that could not be loaded', () => {
    const [failed] = failing.assertionResults;
    const reasons = { ...failing, assertionResults: [{ ...failed!, failureMessages: ['x'.repeat(3_000)] }] };
    const unloaded = { name: 'c.test.ts', status: 'failed', assertionResults: [], message: 'no such module' };
    const described = describeFailures(report(passing, reasons, unloaded));
    expect(described).toEqual([`two: ${'x'.repeat(2_000)}`, 'c.test.ts: no such module']);
  });

  test('what passes then counts as passed and is named', () => {
    const first = report(passing, failing);
    const merged = withRepeated(first, report(file('b.test.ts', { two: 'passed', three: 'passed' })));
    expect(merged).toMatchObject({ numPassedTests: 3, numFailedTests: 0 });
    expect(filesToRepeat(merged)).toEqual([]);
    expect(passedOnlyAgain(first, merged)).toEqual(['two']);
  });

  test('what fails again, or fails only then, counts as failed', () => {
    const first = report(passing, failing);
    const merged = withRepeated(first, report(file('b.test.ts', { two: 'failed', three: 'failed' })));
    expect(merged).toMatchObject({ numPassedTests: 1, numFailedTests: 2 });
    expect(passedOnlyAgain(first, merged)).toEqual([]);
  });

  test('a second run without a report, or without the file, leaves the failure', () => {
    const first = report(passing, failing);
    expect(withRepeated(first, undefined)).toMatchObject({ numPassedTests: 2, numFailedTests: 1 });
    expect(filesToRepeat(withRepeated(first, report(passing)))).toEqual(['b.test.ts']);
  });

  test('a file that could not be loaded in the second run is failed', () => {
    const merged = withRepeated(report(failing), report({ ...failing, assertionResults: [] }));
    expect(filesToRepeat(merged)).toEqual(['b.test.ts']);
  });
});

function file(name: string, tests: Record<string, 'passed' | 'failed'>): FileReport {
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({ fullName, status }));
  return {
    name,
    status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
    assertionResults,
  };
}

function report(...testResults: FileReport[]): Report {
  const count = (wanted: string) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted).length;
  return { numPassedTests: count('passed'), numFailedTests: count('failed'), testResults };
}
