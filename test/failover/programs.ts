/** Finds the programs of a failover cluster, which Debian's packages etcd-server, patroni, haproxy and pgbouncer install. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findPostgres } from '../postgres-cluster.ts';

export interface Programs {
  etcd: string;
  patroni: string;
  haproxy: string;
  pgbouncer: string;
  /** The folder with PostgreSQL's programs. */
  postgres: string;
}

const names = ['etcd', 'patroni', 'haproxy', 'pgbouncer'] as const;

export function findProgram(name: (typeof names)[number]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Returns the paths of the programs, or a line that names what is missing. */
export function findPrograms(): { found: Programs } | { missing: string } {
  const [etcd, patroni, haproxy, pgbouncer] = names.map(findProgram);
  const postgres = findPostgres();
  if (etcd && patroni && haproxy && pgbouncer && postgres)
    return { found: { etcd, patroni, haproxy, pgbouncer, postgres } };
  const missing = [...names.filter((name) => !findProgram(name)), ...(postgres ? [] : ['postgres'])];
  const packages = 'apt-get install etcd-server patroni haproxy pgbouncer postgresql';
  return { missing: `not installed: ${missing.join(', ')} (${packages})` };
}

/** Whether tests that need the programs can run. Prints a note if they cannot, and throws if they must. */
export function failoverAtHand(): boolean {
  const programs = findPrograms();
  if ('found' in programs) return true;
  if (process.env['GEMBA_REQUIRE_FAILOVER'] === '1') throw new Error(programs.missing);
  process.stderr.write(`Skipped: ${programs.missing}\n`);
  return false;
}
