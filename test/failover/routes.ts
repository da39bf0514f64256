/** HAProxy, which routes to the primary, and PgBouncer in transaction mode before it. docs/operations.md shows the same settings. */
import type { PatroniNode } from './patroni.ts';

export const databaseName = 'gemba';
export const databaseUser = 'gemba';

/** A session on a node that is no longer the primary is ended, so that nothing is read from it. */
export function haproxyConfig(nodes: PatroniNode[], port: number): string {
  return `
global
  maxconn 200

defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s

listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`).join('\n')}
`;
}

interface PgbouncerOptions {
  port: number;
  /** Lines such as `gemba = host=127.0.0.1 port=5432`. */
  databases: string;
  poolSize: number;
  folder: string;
}

/** PgBouncer waits 15 s after a failed login, and a client 120 s for a connection, unless it is told otherwise. */
export function pgbouncerConfig({ port, databases, poolSize, folder }: PgbouncerOptions): string {
  return `
[databases]
${databases}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 5
server_check_delay = 0
logfile = ${folder}/pgbouncer-own.log
pidfile = ${folder}/pgbouncer.pid
`;
}
