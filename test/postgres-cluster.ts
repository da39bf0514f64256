/** A PostgreSQL cluster in a temporary folder that can be stopped and started. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './free-port.ts';
import { waitMsMax } from './timeouts.ts';

export interface Cluster {
  url: string;
  /** Starts the cluster after `halt`, on the same port with the same data. */
  start(): Promise<void>;
  /** `immediate` is a crash: connections are cut and the log is replayed at the next start. */
  halt(how: 'fast' | 'immediate'): Promise<void>;
  /** Ends the cluster and removes its folder. */
  stop(): Promise<void>;
}

const pollMs = 50;

/** The folder with the server's binaries: the newest of Debian's, else one of PATH. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['postgres', 'initdb'].every((binary) => existsSync(join(folder, binary))));
}

export async function startCluster(): Promise<Cluster> {
  const binaries = findPostgres();
  if (!binaries) throw new Error('PostgreSQL is not installed');
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'gemba-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initdb = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'];
  execFileSync(join(binaries, 'initdb'), initdb, { ...user, cwd: folder, stdio: 'pipe' });

  const port = await findFreePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const log = join(folder, 'log');
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  let running: ChildProcess | undefined;

  const cluster: Cluster = {
    url,
    async start() {
      const output = openSync(log, 'a');
      const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
      // A guard process reads a pipe from this process and stops PostgreSQL when the pipe closes, however this process
      // ended.
      running = spawn('/bin/sh', ['-c', guard, 'guard', join(binaries, 'postgres'), ...args], {
        ...user,
        cwd: folder,
        detached: true,
        stdio: ['pipe', output, output],
      });
      closeSync(output);
      await untilServerAnswers(url, () => readFileSync(log, 'utf8'));
    },
    async halt(how) {
      if (!running) return;
      const ended = once(running, 'exit');
      if (how === 'immediate') {
        process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
      }
      running.stdin?.end();
      await ended;
      running = undefined;
    },
    async stop() {
      await cluster.halt('fast');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await cluster.start();
  return cluster;
}

const guard = '"$@" & server=$!; cat >/dev/null; kill -INT $server 2>/dev/null; wait $server';

/** PostgreSQL refuses to run as root. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
  const entry =
    entries.find((line) => line.startsWith('postgres:')) ?? entries.find((line) => line.startsWith('nobody:'));
  const [, , uid, gid] = entry?.split(':') ?? [];
  if (!uid || !gid) throw new Error('No unprivileged user to run PostgreSQL as');
  return { uid: Number(uid), gid: Number(gid) };
}

async function untilServerAnswers(url: string, log: () => string): Promise<void> {
  for (const giveUpAt = performance.now() + waitMsMax; ; await sleep(pollMs)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) throw new Error(`PostgreSQL did not start:\n${log()}`, { cause: error });
    }
  }
}
