/**
 * A small disk in memory, which can be made full. It is mounted for a process that waits for the end of this one and for
 * those that join it: with the last of them it is gone, however they ended.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface SmallDisk {
  /** The folder as the processes on the disk see it. */
  folder: string;
  /** The command that starts another on the disk. */
  runner: readonly string[];
  fill(): void;
  free(): void;
}

const sizeMiB = 48;
const blockBytes = 256 * 1024;

/** Whether this process may mount: as root, on Linux. Prints a note if it may not. */
export function canMount(): boolean {
  const { status } = spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
  if (status === 0) return true;
  process.stderr.write('Not root on Linux: the soak has no disk that can be full\n');
  return false;
}

export async function openSmallDisk(): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = `mount -t tmpfs -o size=${sizeMiB}m tmpfs "$1" && echo mounted && exec cat >/dev/null`;
  const holder = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(holder, 'close');
    holder.stdin.end();
    await ended;
  });
  await once(createInterface({ input: holder.stdout }), 'line');
  const ballast = join(`/proc/${holder.pid}/root`, folder, 'ballast');
  return {
    folder: join(folder, 'data'),
    runner: ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`],
    fill() {
      const file = openSync(ballast, 'a');
      const fillBy = (bytes: number) => {
        const block = Buffer.alloc(bytes, 1);
        for (;;) writeSync(file, block);
      };
      for (const bytes of [blockBytes, 4096]) ignoreNoSpace(() => fillBy(bytes));
      closeSync(file);
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

function ignoreNoSpace(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
