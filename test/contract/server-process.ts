/** The real `server/main.ts`, in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { programArgs } from '../programs.ts';
import { waitMsMax } from '../timeouts.ts';

export interface ServerProcess {
  child: ChildProcess;
  /** Everything that the process printed so far. */
  printed(): string;
  /** Resolves with the match once the output matches; rejects when the process ends first. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its exit code, null after a signal. */
  ended: Promise<number | null>;
}

interface ServerProcessOptions {
  /** A command that starts another one in its own process, such as `nsenter`. */
  runner?: readonly string[];
  /** Whether the process may go on after the test. It ends with the process that started it. */
  outlivesTest?: boolean;
}

export function startServerProcess(
  environment: Record<string, string>,
  { runner = [], outlivesTest = false }: ServerProcessOptions = {},
): ServerProcess {
  const [command = '', ...args] = [...runner, process.execPath, ...programArgs('server/main')];
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...(outlivesTest ? { NODE_OPTIONS: endsWithItsParent } : {}),
      ...environment,
    },
    stdio: [outlivesTest ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  if (!outlivesTest) onTestFinished(() => void child.kill('SIGKILL'));
  return watchProcess(child);
}

/** The parent's end of this pipe closes however the parent ends, also by SIGKILL. */
const endsWithItsParent = "--import=data:text/javascript,process.stdin.on('end',()=>process.exit()).resume().unref()";

/** Reads what a process prints. */
export function watchProcess(child: ChildProcess): ServerProcess {
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (const listener of listeners) listener();
    });
  }
  const until = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const end = (settle: () => void) => {
        listeners.delete(look);
        clearTimeout(timer);
        settle();
      };
      const look = () => {
        const found = pattern.exec(text);
        if (found) end(() => resolve(found));
      };
      const give = (reason: string) => end(() => reject(new Error(`${reason} after printing: ${text}`)));
      const timer = setTimeout(() => give(`the process did not print ${pattern}`), waitMsMax);
      listeners.add(look);
      look();
      void ended.then(() => give('the process ended'));
    });
  return { child, printed: () => text, until, ended };
}
