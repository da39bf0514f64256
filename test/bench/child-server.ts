/** A server in a process of its own that prints its address. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { assert } from '../../shared/domain/assert.ts';

export interface ChildServer {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

interface ChildOptions {
  env?: Record<string, string>;
  /** The file to which the process logs. Default: where this process logs. */
  logFile?: string | undefined;
  /** `args` say all that node needs. Default: node loads `tsx` before them. */
  isComplete?: boolean;
}

export async function startChildServer(
  args: string[],
  { env = {}, logFile, isComplete = false }: ChildOptions = {},
): Promise<ChildServer> {
  const log = logFile === undefined ? undefined : openSync(logFile, 'a');
  const child = spawn(process.execPath, isComplete ? args : ['--import', 'tsx', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', log ?? 'inherit'],
  });
  const { stdout } = child;
  assert(stdout, 'stdout is a pipe');
  if (log !== undefined) closeSync(log);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /listening on (\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error(`${args[0]} ended: ${output}`)));
  });
  // A bench that fails does not reach the stop of its servers.
  const kill = () => void child.kill('SIGTERM');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await ended;
  };
  return { url, pid: child.pid!, stop };
}
