import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programArgs } from '../programs.ts';

const sampleFile = join(import.meta.dirname, '../fixtures/receipt-sample.ndjson');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemba-demo-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('[DEMO-1] the sample is replayed through an offline device, and each recording is on the server once', async () => {
  const { stdout, stderr, code } = await demo(['--data', join(folder, 'sample')]);
  expect(stderr).toBe('');
  expect(stdout).toContain('Recording 20/20');
  expect(stdout).toContain('On the device: 20 recordings with 124 steps.');
  expect(stdout).toContain('Syncing 21/21');
  expect(stdout).toContain('The server holds 1 map.');
  expect(stdout).toContain('Receipt phase: 20 runs, 124 steps');
  expect(stdout).toMatch(/Confirmation of receipt +20 +\S+ \S+ +100\.0 %/);
  expect(stdout).toContain('Each of the 20 recordings is there, once and whole.');
  expect(code).toBe(0);
});

test('[DEMO-2] [DEMO-7] [DEMO-3] broken lines are told with their numbers, the rest goes on, and a second run adds nothing', async () => {
  const [first, second] = (await readFile(sampleFile, 'utf8')).split('\n') as [string, string];
  const step = { stage_name: 'Weld', order: 1, duration_secs: 5 };
  const line = (more: object) => JSON.stringify({ recording_session_id: 'broken', steps: [step], ...more });
  const lines = [
    first,
    '{"recording_session_id": "cut o',
    line({ steps: [step, step] }),
    '',
    line({ steps: [{ ...step, duration_secs: -1 }] }),
    line({ started: '2026-04-01T09:30:00.000Z' }),
    line({ recording_session_id: undefined }),
    line({ steps: 'none' }),
    '[]',
    first,
    line({ recording_session_id: 'receipt:case-10011' }),
    second,
  ];
  const file = join(folder, 'broken.ndjson');
  const notUtf8 = Buffer.from([0x7b, 0xff, 0x7d]);
  await writeFile(file, Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), notUtf8]));
  const told = [
    `${file}:2: not JSON`,
    `${file}:3: /steps/1/order: order 1 stands twice in the recording`,
    `${file}:5: /steps/0/duration_secs`,
    `${file}:6: /started`,
    `${file}:7: no recording_session_id`,
    `${file}:8: /steps`,
    `${file}:9: not a JSON object`,
    `${file}:10: receipt:case-10011 stands in line 1 already, with the same steps`,
    `${file}:11: receipt:case-10011 stands in line 1 already, with other steps`,
    `${file}:13: not UTF-8`,
  ];

  const outputs: string[] = [];
  for (let run = 1; run <= 2; run += 1) {
    const { stdout, stderr, code } = await demo([file, '--data', join(folder, 'twice')]);
    expect(stderr.trimEnd().split('\n')).toStrictEqual(told.map((start) => expect.stringContaining(start)));
    expect(stdout).toContain('On the device: 2 recordings with 13 steps. 10 lines could not be recorded.');
    expect(stdout).toContain('Receipt phase: 2 runs, 13 steps');
    expect(stdout).toContain('Each of the 2 recordings is there, once and whole.');
    expect(code).toBe(0);
    outputs.push(stdout.replaceAll(/127\.0\.0\.1:\d+/g, 'the server'));
  }
  expect(outputs[1]).toBe(outputs[0]);
});

test('[DEMO-4] a recording that the server has with other steps is told, and the demo fails', async () => {
  const dataDir = join(folder, 'contradiction');
  const recording = (duration_secs: number) => ({
    recording_session_id: 'weld-1',
    steps: [{ stage_name: 'Weld', order: 1, duration_secs }],
  });
  const file = join(folder, 'contradiction.ndjson');
  await writeFile(file, JSON.stringify(recording(5)));
  expect((await demo([file, '--data', dataDir])).code).toBe(0);
  await writeFile(file, JSON.stringify(recording(6)));
  const { stdout, stderr, code } = await demo([file, '--data', dataDir]);
  expect(stderr.trimEnd()).toBe('weld-1 is there with other steps');
  expect(stdout).not.toContain('once and whole');
  expect(code).toBe(1);
});

test('[DEMO-5] a file that is missing, empty, a folder or without a recording is a plain error', async () => {
  const empty = join(folder, 'empty.ndjson');
  await writeFile(empty, '\n \n');
  const nothing = join(folder, 'nothing.ndjson');
  await writeFile(nothing, 'nothing\n');
  const cases = [
    {
      args: [join(folder, 'none.ndjson')],
      told: `demo: cannot read ${join(folder, 'none.ndjson')}: there is no such file`,
    },
    { args: [empty], told: `demo: ${empty} is empty` },
    { args: [folder], told: `demo: cannot read ${folder}: it is a folder` },
    { args: [nothing], told: `demo: ${nothing} has no line that is a recording` },
    { args: [sampleFile, sampleFile], told: 'demo: one file at a time.' },
    { args: ['--fast'], told: "demo: Unknown option '--fast'" },
  ];
  for (const { args, told } of cases) {
    const { stderr, code } = await demo([...args, '--data', join(folder, 'errors')]);
    expect(stderr).toContain(told);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
  }
});

test('[DEMO-6] [DEMO-8] stopped in the middle, the demo leaves no process behind, and the same command takes it up again', async () => {
  const dataDir = join(folder, 'stopped');
  const stopped = await demo(['--data', dataDir], { stopAt: 'On the device' });
  expect(stopped.code).toBe(130);
  expect(stopped.stdout).not.toContain('once and whole');
  const { stdout, code } = await demo(['--data', dataDir]);
  expect(stdout).toContain('Each of the 20 recordings is there, once and whole.');
  expect(code).toBe(0);
});

interface Ended {
  stdout: string;
  stderr: string;
  code: number | null;
}

/** Resolves when all output has ended; a process left behind would hold it open. */
function demo(args: string[], { stopAt }: { stopAt?: string } = {}): Promise<Ended> {
  const preload = stopAt === undefined ? [] : (['test/demo/stop-at'] as const);
  const child = spawn(process.execPath, [...programArgs('test/demo/demo', preload), ...args], {
    env: { ...process.env, GEMBA_STOP_AT: stopAt },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended: Ended = { stdout: '', stderr: '', code: null };
  child.stdout.on('data', (chunk: Buffer) => (ended.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ended.stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...ended, code }));
  });
}
