/**
 * `npm run verify`: the checks, the tests and a short run of the benchmarks. Each step runs even after a failed one, so
 * that one run shows every problem. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tally, type Report, type Step } from './tally.ts';

const commands: [Step['name'], string[]][] = [
  ['check', ['run', 'check']],
  ['test', ['run', 'test']],
  ['bench', ['run', 'bench', '--', '--smoke']],
];

const folder = await mkdtemp(join(tmpdir(), 'gemba-verify-'));
const reportFile = join(folder, 'report.json');
const steps: Step[] = [];
for (const [name, args] of commands) steps.push({ name, ok: await npm(args) });
const { passed, failed } = tally(steps, await readReport());
await rm(folder, { recursive: true, force: true });

for (const { name, ok } of steps) console.log(`${name}: ${ok ? 'ok' : 'FAILED'}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function npm(args: string[]): Promise<boolean> {
  const env = { ...process.env, GEMBA_TEST_REPORT: reportFile };
  return new Promise((done) => {
    const child = spawn('npm', args, { stdio: 'inherit', env });
    child.on('error', () => done(false));
    child.on('close', (exitCode) => done(exitCode === 0));
  });
}

async function readReport(): Promise<Report | undefined> {
  const text = await readFile(reportFile, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Report);
}
