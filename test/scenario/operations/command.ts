/** The operator's commands, each in a process of its own, as npm runs them. */
import { execFile } from 'node:child_process';
import { programArgs } from '../../programs.ts';

export interface CommandResult {
  exitCode: number;
  /** The standard output and the standard error. */
  printed: string;
}

export function runCommand(
  name: 'backup' | 'carry' | 'move' | 'relay-keys' | 'restore',
  args: string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  const program = name === 'carry' ? 'carry/main' : (`server/cli/${name}` as const);
  const env = { PATH: process.env['PATH'], ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [...programArgs(program), ...args], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, printed: stdout + stderr });
    });
  });
}
