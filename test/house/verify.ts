/**
 * `npm run verify`: the tests, and then the checks, a short run of the benchmarks and the failover beside each other, since
 * the last two wait for much of their time. Of the tests of the app in a browser a commit gets one half, and with `--all` both.
 * Each step runs even after a failed one, so that one run shows every problem. A few failed test files run once more by
 * themselves, and what passes only then is named. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { halfOfCommit } from './app-half.ts';
import { describeFailures, filesToRepeat, passedOnlyAgain, withRepeated } from './repeat.ts';
import { tally, type Report, type Step } from './tally.ts';

const commands: Record<Step['name'], string[]> = {
  test: ['run', 'test'],
  failover: ['run', 'failover', '--', '--kills', '4'],
  check: ['run', 'check'],
  bench: ['run', 'bench', '--', '--smoke'],
};

const appHalf = process.argv.includes('--all') ? '' : halfOfCommit(resolve(import.meta.dirname, '../..'));
console.log(appHalf ? `With the ${appHalf} half of the tests of the app in a browser` : 'With all tests');

const folder = await mkdtemp(join(tmpdir(), 'gemba-verify-'));
const firstFile = join(folder, 'report.json');
const steps: Step[] = [await run('test')];
const [failover, bench] = [run('failover', { isPrintedLast: true }), run('bench', { isPrintedLast: true })];
steps.push(await run('check'), await bench, await failover);
const report = await repeatFailedFiles(await readReport(firstFile));
const { passed, failed } = tally(steps, report);
await rm(folder, { recursive: true, force: true });

for (const { name, ok } of steps) console.log(`${name}: ${ok ? 'ok' : 'FAILED'}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function run(name: Step['name'], options?: NpmOptions): Promise<Step> {
  return { name, ok: await npm(commands[name], { reportFile: firstFile, ...options }) };
}

/** Runs failed files again, and returns the report with what they then did. */
async function repeatFailedFiles(first: Report | undefined): Promise<Report | undefined> {
  const files = filesToRepeat(first);
  if (first) for (const failure of describeFailures(first)) console.log(`\nfailed: ${failure}`);
  if (!first || files.length === 0) return first;
  console.log(`\nOnce more, by themselves: ${files.join(', ')}`);
  const secondFile = join(folder, 'second-report.json');
  const ok = await npm(['run', 'test', '--', ...files], { reportFile: secondFile });
  const merged = withRepeated(first, await readReport(secondFile));
  for (const name of passedOnlyAgain(first, merged)) console.log(`failed at first, passed when run again: ${name}`);
  steps.find(({ name }) => name === 'test')!.ok = ok && filesToRepeat(merged).length === 0;
  return merged;
}

interface NpmOptions {
  /** The tests write their report here. */
  reportFile?: string;
  /** Prints what the command says when it has ended, so that it is not mixed with the words of others. */
  isPrintedLast?: boolean;
}

function npm(args: string[], { reportFile = '', isPrintedLast = false }: NpmOptions): Promise<boolean> {
  const env = { ...process.env, GEMBA_TEST_REPORT: reportFile, GEMBA_APP_HALF: appHalf };
  return new Promise((done) => {
    const output = isPrintedLast ? 'pipe' : 'inherit';
    const child = spawn('npm', args, { stdio: ['inherit', output, output], env });
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk));
    child.on('error', () => done(false));
    child.on('close', (exitCode) => {
      process.stdout.write(Buffer.concat(printed));
      done(exitCode === 0);
    });
  });
}

async function readReport(reportFile: string): Promise<Report | undefined> {
  const text = await readFile(reportFile, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Report);
}
