/** Processor time and memory of processes, as Linux tells them in /proc. Elsewhere they are NaN, and shown as "-". */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** The kernel counts processor time in these, on every architecture that Node runs on. */
const ticksPerSec = 100;
const bytesPerMib = 1024 * 1024;

/** Seconds of processor time, and MiB of memory, since each process began. */
export interface Usage {
  servers: number[];
  postgres: number;
  driver: number;
  /** All processes of the machine, those of strangers too. */
  machine: number;
  serverMib: number[];
  postgresMib: number;
}

export interface UsageOf {
  serverPids: readonly number[];
  postgresPid?: number | undefined;
}

export function readUsage({ serverPids, postgresPid }: UsageOf): Usage {
  const own = process.cpuUsage();
  return {
    servers: serverPids.map((pid) => cpuSecs(pid)),
    postgres: postgresPid === undefined ? Number.NaN : treeCpuSecs(postgresPid),
    driver: (own.user + own.system) / 1e6,
    machine: cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0),
    serverMib: serverPids.map((pid) => statusMib(pid, 'VmRSS')),
    postgresMib: postgresPid === undefined ? Number.NaN : treeMib(postgresPid),
  };
}

/** The fields of /proc/PID/stat behind the name, from the third on. */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The sum of these fields of proc(5), counted from 1, in seconds; NaN if the process ended. */
function cpuSecs(pid: number, fields = [14, 15]): number {
  try {
    const all = statFields(pid);
    return fields.reduce((sum, field) => sum + Number(all[field - 3]), 0) / ticksPerSec;
  } catch {
    return Number.NaN;
  }
}

/** A process with its children, those that ended included. PostgreSQL has a child for each connection. */
function treeCpuSecs(pid: number): number {
  const live = childPids(pid).map((child) => cpuSecs(child));
  return cpuSecs(pid, [14, 15, 16, 17]) + live.reduce((sum, secs) => sum + (Number.isNaN(secs) ? 0 : secs), 0);
}

/** Counts memory that processes share once: each has its part of it. */
function treeMib(pid: number): number {
  return [pid, ...childPids(pid)].reduce((sum, one) => sum + proportionalMib(one), 0);
}

function proportionalMib(pid: number): number {
  try {
    const [, kib] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return (Number(kib ?? Number.NaN) * 1024) / bytesPerMib;
  } catch {
    return 0;
  }
}

function statusMib(pid: number, field: string): number {
  try {
    const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kib ?? Number.NaN) * 1024) / bytesPerMib;
  } catch {
    return Number.NaN;
  }
}

function childPids(parent: number): number[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => parentOf(pid) === parent);
  } catch {
    return [];
  }
}

export function parentOf(pid: number): number | undefined {
  try {
    return Number(statFields(pid)[1]);
  } catch {
    return undefined;
  }
}
