/** Merges the report of a test run with that of a second run of its failed files, each as vitest's JSON report says it. */
import type { FileReport, Report } from './tally.ts';

/** More failed files than these are no accident of a busy machine, and run no second time. */
const repeatedFilesMax = 6;

/** The files that failed, by path, or none where a second run could not help. */
export function filesToRepeat(report: Report | undefined): string[] {
  const failed = (report?.testResults ?? []).filter(({ status }) => status === 'failed');
  return failed.length > repeatedFilesMax ? [] : failed.map(({ name }) => name);
}

/** The first report with each repeated file as the second run found it. A file that the second run lacks keeps its failure. */
export function withRepeated(first: Report, second: Report | undefined): Report {
  const again = new Map((second?.testResults ?? []).map((file) => [file.name, file]));
  const testResults = first.testResults.map((file) => again.get(file.name) ?? file);
  return {
    numPassedTests: countTests(testResults, 'passed'),
    numFailedTests: countTests(testResults, 'failed'),
    testResults,
  };
}

/** The full names of the tests that failed at first and passed in the second run. */
export function passedOnlyAgain(first: Report, merged: Report): string[] {
  const stillFailed = new Set(testsWith(merged.testResults, 'failed'));
  return testsWith(first.testResults, 'failed').filter((name) => !stillFailed.has(name));
}

/** Each failed test with the beginning of its reasons, which stand far above by the end of a long log. */
export function describeFailures({ testResults }: Report): string[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message = '', assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${name}: ${message.slice(0, reasonCharsMax)}`];
      return failed.map(
        ({ fullName, failureMessages = [] }) => `${fullName}: ${failureMessages.join('\n').slice(0, reasonCharsMax)}`,
      );
    });
}

const reasonCharsMax = 2_000;

function countTests(files: FileReport[], wanted: string): number {
  return testsWith(files, wanted).length;
}

function testsWith(files: FileReport[], wanted: string): string[] {
  return files
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === wanted)
    .map(({ fullName }) => fullName);
}
