/** The configuration of a Patroni node, and what its REST API says. docs/operations.md shows the same settings. */
import { join } from 'node:path';
import type { Programs } from './programs.ts';

export interface PatroniNode {
  name: string;
  port: number;
  restPort: number;
  dataDir: string;
}

/** A takeover begins `ttl` seconds after the leader's last sign of life; `ttl` is at least `loop_wait + 2 * retry_timeout`. */
const dcs = {
  ttl: 10,
  loop_wait: 1,
  retry_timeout: 4,
  // A standby is promoted only if each acknowledged commit is on its disk. With `maximum_lag_on_failover: 0` none would be
  // where the primary died with commits that nobody acknowledged, so that setting keeps its default of 1 MiB.
  synchronous_mode: true,
  // A PostgreSQL that crashed must not restart as primary: it would show commits that the standby may not have.
  primary_start_timeout: 0,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      synchronous_commit: 'on',
      wal_log_hints: 'on',
      max_connections: 60,
      max_wal_senders: 6,
      wal_keep_size: '128MB',
      // A standby asks the new primary once a second instead of every 5 s.
      wal_retrieve_retry_interval: '1s',
      shared_buffers: '32MB',
    },
  },
};

/** Patroni reads YAML, of which JSON is a part. */
export function patroniConfig(
  node: PatroniNode,
  { folder, etcdUrl, programs }: { folder: string; etcdUrl: string; programs: Programs },
): string {
  const address = (port: number) => `127.0.0.1:${port}`;
  return JSON.stringify({
    scope: 'gemba',
    name: node.name,
    restapi: { listen: address(node.restPort), connect_address: address(node.restPort) },
    etcd3: { hosts: new URL(etcdUrl).host },
    bootstrap: { dcs, initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }] },
    postgresql: {
      listen: address(node.port),
      connect_address: address(node.port),
      data_dir: node.dataDir,
      bin_dir: programs.postgres,
      pgpass: join(folder, `${node.name}.pgpass`),
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
        rewind: { username: 'rewinder' },
      },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: folder },
      // A spread checkpoint would let a copy wait for minutes.
      basebackup: { checkpoint: 'fast' },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  });
}

/** Whether the REST API answers 200 at this path, such as `/primary` or `/sync`. */
export async function isAt(node: PatroniNode, path: '/primary' | '/sync'): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${node.restPort}${path}`, { signal: AbortSignal.timeout(2_000) });
    await response.text();
    return response.status === 200;
  } catch {
    return false;
  }
}
