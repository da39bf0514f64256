/** Runs test files in a folder with vitest and returns the names of those that failed. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface TestRun {
  folder: string;
  tests: readonly string[];
  /** Only tests whose names match run. */
  pattern: string | undefined;
  secondsMax: number;
  /** Ends the run at the first failed test. */
  isFirstEnough: boolean;
}

interface Report {
  testResults: {
    name: string;
    message?: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

export async function failedTests({ folder, tests, pattern, secondsMax, isFirstEnough }: TestRun): Promise<string[]> {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const args = ['run', ...tests, '--reporter=json', `--outputFile=${file}`, '--maxWorkers=1'];
  if (pattern !== undefined) args.push('-t', pattern);
  if (isFirstEnough) args.push('--bail=1');
  const ended = await endOf(folder, args, secondsMax);
  if (ended === 'late') return [`no end within ${secondsMax} s`];
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const ran = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status !== 'pending'),
  );
  if (ran.filter(({ status }) => status === 'passed' || status === 'failed').length === 0) {
    throw new Error(`no test ran of ${tests.join(', ')}: ${testResults.map(({ message = '' }) => message).join('\n')}`);
  }
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return [
    ...ran.flatMap(({ status, fullName }) => (status === 'failed' ? [fullName] : [])),
    ...unloaded.map(({ name }) => name.replace(`${folder}/`, '')),
  ];
}

/** A run that a fault keeps from ending is ended with its processes. */
function endOf(folder: string, args: string[], secondsMax: number): Promise<'ended' | 'late'> {
  return new Promise((resolve, reject) => {
    const program = join(folder, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: 'ignore', detached: true });
    let outcome: 'ended' | 'late' = 'ended';
    const endGroup = (signal: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // The group has ended meanwhile.
      }
    };
    const timer = setTimeout(() => {
      outcome = 'late';
      endGroup('SIGTERM');
      setTimeout(() => endGroup('SIGKILL'), 5_000).unref();
    }, secondsMax * 1000);
    const endWithParent = () => endGroup('SIGTERM');
    process.once('exit', endWithParent);
    child.once('error', reject);
    child.once('exit', () => {
      clearTimeout(timer);
      process.removeListener('exit', endWithParent);
      resolve(outcome);
    });
  });
}
