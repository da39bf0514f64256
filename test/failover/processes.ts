/**
 * Processes in a temporary folder. A guard process reads a pipe from this process: when the pipe closes, however this
 * process ended, the guard kills what still runs and removes the folder.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivilegedUser } from '../postgres-cluster.ts';

export interface Processes {
  folder: string;
  /** Makes a folder that the processes may write to. */
  makeFolder(name: string): string;
  writeFile(name: string, text: string): string;
  /** Starts a program whose output goes to a file of the given name. */
  start(name: string, command: string, args: string[], env?: Record<string, string>): ChildProcess;
  /** Lets the guard know of a process that another program started. */
  guard(pid: number): void;
  /** The last lines that each process printed. */
  logs(): string;
  /** Ends all processes and removes the folder. */
  end(): Promise<void>;
}

const logLinesMax = 30;

/** A pid may be taken by another process, so its file holds when the process started. */
const guardScript = `
cat >/dev/null
for file in "$1"/pids/*; do
  pid=\${file##*/}
  [ "$(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null | cut -d' ' -f20)" = "$(cat "$file" 2>/dev/null)" ] && kill -9 "$pid"
done
for file in "$1"/*/data/postmaster.pid; do
  pid=$(head -n 1 "$file" 2>/dev/null) || continue
  grep -qsF "$1" "/proc/$pid/cmdline" && kill -3 "$pid"
  for tries in $(seq 100); do [ -e "/proc/$pid" ] && sleep 0.05; done
done
[ "$GEMBA_FAILOVER_KEEP" = 1 ] || rm -rf "$1"
`;

export function openProcesses(): Processes {
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'gemba-failover-'));
  const own = (path: string) => {
    if (user) chownSync(path, user.uid, user.gid);
    return path;
  };
  own(folder);
  const pids = join(folder, 'pids');
  mkdirSync(pids);
  const guardProcess = spawn('/bin/sh', ['-c', guardScript, 'guard', folder], {
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const guard = (pid: number) => {
    const startedAt = startTimeOf(pid);
    if (startedAt !== undefined) writeFileSync(join(pids, String(pid)), startedAt);
  };
  return {
    folder,
    makeFolder(name) {
      mkdirSync(join(folder, name), { mode: 0o700 });
      return own(join(folder, name));
    },
    writeFile(name, text) {
      writeFileSync(join(folder, name), text);
      return own(join(folder, name));
    },
    start(name, command, args, env = {}) {
      const output = openSync(join(folder, `${name}.log`), 'a');
      // A group of its own keeps the terminal's Ctrl-C away: the guard ends the process.
      const child = spawn(command, args, {
        ...user,
        cwd: folder,
        detached: true,
        env: { PATH: process.env['PATH'], HOME: folder, ...env },
        stdio: ['ignore', output, output],
      });
      closeSync(output);
      if (child.pid !== undefined) guard(child.pid);
      return child;
    },
    guard,
    logs: () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => [name, ...readFileSync(join(folder, name), 'utf8').split('\n').slice(-logLinesMax)].join('\n'))
        .join('\n\n'),
    async end() {
      const ended = once(guardProcess, 'exit');
      guardProcess.stdin!.end();
      await ended;
    },
  };
}

/** The time after boot at which a process started: the 22nd field, where the 2nd, its name, may contain blanks. */
function startTimeOf(pid: number): string | undefined {
  return readStat(pid)?.[19];
}

function readStat(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
}

/** Kills a process and all that descend from it, each at once. Stopped first, none of them makes another. */
export function killTree(pid: number): void {
  const family = familyOf(pid);
  for (const member of family) signal(member, 'SIGSTOP');
  for (const member of family) signal(member, 'SIGKILL');
}

/** Stops the processes among those that descend from this one whose title has this word. */
export function stopThoseTitled(word: string, pid: number): void {
  for (const member of familyOf(pid)) if (titleOf(member).includes(word)) signal(member, 'SIGSTOP');
}

/** A process and all that descend from it. */
function familyOf(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(readStat(Number(name))?.[1])]),
  );
  const family = [pid];
  for (const member of family) for (const [child, parent] of parents) if (parent === member) family.push(child);
  return family;
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
