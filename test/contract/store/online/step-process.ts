/** Starts `step-server.ts` in a process of its own, which a test can kill. */
import { spawn, type ChildProcess } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { programArgs } from '../../../programs.ts';

export interface StepServer {
  child: ChildProcess;
  url: string;
  /** The log so far. */
  text(): string;
}

interface StepServerOptions {
  dataDir: string;
  /** The URL of PostgreSQL; empty for SQLite. */
  url: string;
  /** `own`: the steps of this version. Default: one that counts the steps of each run. */
  carries?: 'own' | 'counting';
}

export async function startStepServer({ dataDir, url, carries = 'counting' }: StepServerOptions): Promise<StepServer> {
  const args = [...programArgs('test/contract/store/online/step-server'), dataDir, url, carries];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (some: string) => (text += some));
  await expect.poll(() => text).toMatch(/listening on \S+\n/);
  return { child, url: /listening on (\S+)/.exec(text)![1]!, text: () => text };
}
