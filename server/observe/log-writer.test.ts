import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLogWriter } from './log-writer.ts';

/** A pipe that takes 64 KiB and then no more, until it is read. */
function openPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-log-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  let text = '';
  const readAll = () => {
    const bytes = Buffer.alloc(64 * 1024);
    try {
      for (;;) text += bytes.toString('utf8', 0, readSync(fd, bytes));
    } catch {
      return text;
    }
  };
  return { fd, readAll };
}

test('[OPS-24] [OPS-25] a log that takes nothing costs at most the lines that may wait, and says afterwards how many it lost', async () => {
  const { fd, readAll } = openPipe();
  const writer = openLogWriter(fd, { waitingBytesMax: 10_000, retryMs: 5, now: () => 0 });
  const line = (number: number) => `{"number":${number},"text":"${'x'.repeat(970)}"}\n`;
  const count = 500;
  for (let number = 0; number < count; number += 2) {
    writer.write(line(number) + line(number + 1));
    await new Promise((resolve) => setImmediate(resolve));
  }
  // A busy machine loses lines more than once, so one count of lost lines is not the end of the log.
  await expect.poll(() => countLines(readAll()).all, { interval: 5 }).toBeGreaterThanOrEqual(count);
  const { numbers, lost } = countLines(readAll());
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(lost).toBeGreaterThan(0);
  expect(new Set(numbers).size + lost).toBe(count);
  writer.write(line(count));
  await expect.poll(readAll, { interval: 5 }).toContain(`"number":${count},`);
});

/** Counts the whole lines of a log, and those that it says it lost. */
function countLines(log: string) {
  const lines = log
    .split('\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text) as { number?: number; lines?: number });
  const numbers = lines.flatMap(({ number }) => number ?? []);
  const lost = lines.reduce((sum, { lines: dropped = 0 }) => sum + dropped, 0);
  return { numbers, lost, all: numbers.length + lost };
}
