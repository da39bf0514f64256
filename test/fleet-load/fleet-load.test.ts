/** The whole load with few devices, against a real server process on SQLite. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

function startLoad(args: string[]) {
  const script = join(import.meta.dirname, 'fleet-load.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (some: string) => (text += some));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, text: () => text };
}

test('[LOAD-1] [LOAD-3] [LOAD-6] a smoke run loses answers, sends again, finds each recording stored once, and reports', async () => {
  const { ended, text } = startLoad(['--smoke', '--sqlite', '--seed', '3']);
  const code = await ended;
  expect(text()).toMatch(/each of the (\d+) recordings is stored once, whole and in its device's order; \1 are stored/);
  expect(text()).toMatch(/[1-9]\d* answers to pushes were thrown away, and sent again/);
  // A busy machine may skip a phase of a day of 3.6 s, but not the last one.
  expect(text().match(/^shift end +\d/gm)).toHaveLength(2);
  // Pushes, pulls and pokes have a p50 and a p99.
  expect(text()).toMatch(/^\S.*?( +\d+ \/ \d+){3} +\d+/m);
  expect(text()).toMatch(/^45 .* of \d+ +\d+ +-$/m);
  expect(code).toBe(0);
});

test.each(['SIGINT', 'SIGTERM'] as const)('[LOAD-4] %s ends the load and its server process', async (signal) => {
  const { child, ended, text } = startLoad(['--sqlite', '--devices', '20', '--minutes', '30']);
  await expect.poll(text).toContain('shift start');
  const serverPid = Number(/^Server processes: (\d+)/m.exec(text())?.[1]);
  expect(() => process.kill(serverPid, 0)).not.toThrow();
  child.kill(signal);
  expect(await ended).toBe(130);
  expect(() => process.kill(serverPid, 0)).toThrow('ESRCH');
});

test('[LOAD-8] a wrong option ends the load with one line and exit code 1', async () => {
  const { ended, text } = startLoad(['--devices', '1000000']);
  expect(await ended).toBe(1);
  expect(text().trim()).toBe('fleet: --devices must be a whole number from 20 to 20000');
});
