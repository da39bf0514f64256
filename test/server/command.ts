/** The operator's commands, each in a process of its own, as npm runs them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

export interface CommandResult {
  exitCode: number;
  /** The standard output and the standard error. */
  printed: string;
}

export function runCommand(
  name: 'backup' | 'restore',
  args: string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  const script = join(import.meta.dirname, `../../server/${name}.ts`);
  const env = { PATH: process.env['PATH'], ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, printed: stdout + stderr });
    });
  });
}
