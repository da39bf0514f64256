/** The program `gemba` of an installed package, in a process of its own. */
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { watchProcess, type ServerProcess } from '../contract/server-process.ts';
import { program } from './installed-package.ts';

interface GembaOptions {
  args?: string[];
  settings: Record<string, string>;
  /** The program of Node. Default: the one that runs the tests. */
  node?: string;
}

/** Starts the program until the test ends. */
export function startGemba(folder: string, options: GembaOptions): ServerProcess {
  const { args = ['--port', '0'], settings, node = process.execPath } = options;
  const environment = { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...settings };
  const child = spawn(node, [program(folder), ...args], { cwd: folder, env: environment });
  onTestFinished(() => void child.kill('SIGKILL'));
  return watchProcess(child);
}
