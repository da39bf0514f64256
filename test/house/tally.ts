/** Counts passed and failed checks over the steps of `npm run verify` and the report of its test run. */

export interface Step {
  name: 'check' | 'test' | 'failover' | 'bench';
  ok: boolean;
}

/** The used part of vitest's JSON report. */
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: FileReport[];
}

export interface FileReport {
  /** The path of the file. */
  name: string;
  status: string;
  assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  /** Why the file itself failed. */
  message?: string;
}

/** `report` is undefined if the test run ended without one. */
export function tally(steps: Step[], report: Report | undefined): { passed: number; failed: number } {
  const failedTests = report ? report.numFailedTests + filesThatFailedThemselves(report) : 0;
  const failed = steps.filter(({ ok }) => !ok).map(({ name }) => (name === 'test' ? Math.max(1, failedTests) : 1));
  return { passed: report?.numPassedTests ?? 0, failed: failed.reduce((sum, count) => sum + count, 0) };
}

/** Counts files that failed to load, or failed outside their tests. */
function filesThatFailedThemselves({ testResults }: Report): number {
  const failed = testResults.filter(({ status }) => status === 'failed');
  return failed.filter(({ assertionResults }) => assertionResults.every(({ status }) => status !== 'failed')).length;
}
