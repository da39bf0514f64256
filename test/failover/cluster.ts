/**
 * Three PostgreSQL servers under Patroni, of which one is the synchronous standby:
 *
 *   Gemba ─► PgBouncer (transaction mode) ─► HAProxy ─► the primary ◄─ Patroni ─► etcd
 *   Gemba ─────────── pokes ───────────────► HAProxy       └─ WAL ─► the standbys ◄─ Patroni
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../free-port.ts';
import { waitMsMax } from '../timeouts.ts';
import { isAt, patroniConfig, type PatroniNode } from './patroni.ts';
import { killTree, openProcesses, stopThoseTitled, type Processes } from './processes.ts';
import { databaseName, databaseUser, haproxyConfig, pgbouncerConfig } from './routes.ts';
import type { Programs } from './programs.ts';

export interface FailoverCluster {
  /** PgBouncer in transaction mode. */
  url: string;
  /** HAProxy, which passes sessions on to the primary. */
  directUrl: string;
  nodes: readonly PatroniNode[];
  processes: Processes;
  /**
   * Kills Patroni and PostgreSQL of the primary, each process of them with SIGKILL. For `lagMs` before, the primary sends
   * nothing to its standbys, so that a commit that did not wait for them is lost.
   */
  killPrimary(options: { lagMs: number }): Promise<{ node: PatroniNode; killedAt: number }>;
  startNode(node: PatroniNode): Promise<void>;
  /** Waits until a node is the primary and another its synchronous standby. */
  untilSynchronous(): Promise<void>;
  end(): Promise<void>;
}

const pollMs = 100;

export async function startFailoverCluster(programs: Programs): Promise<FailoverCluster> {
  const processes = openProcesses();
  try {
    return await startIn(processes, programs);
  } catch (error) {
    await processes.end();
    throw error;
  }
}

async function startIn(processes: Processes, programs: Programs): Promise<FailoverCluster> {
  const { folder } = processes;
  const etcdUrl = await startEtcd(processes, programs);
  const nodes: PatroniNode[] = [];
  const patronis = new Map<PatroniNode, ReturnType<Processes['start']>>();
  for (const name of ['one', 'two', 'three']) {
    const dataDir = join(processes.makeFolder(name), 'data');
    const node = { name, dataDir, port: await findFreePort(), restPort: await findFreePort() };
    processes.writeFile(`${name}.json`, patroniConfig(node, { folder, etcdUrl, programs }));
    nodes.push(node);
  }
  const url = (port: number, user: string, database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`;
  const directPort = await findFreePort();
  const superuserUrl = url(directPort, 'postgres', 'postgres');
  const cluster: FailoverCluster = {
    url: '',
    directUrl: '',
    nodes,
    processes,
    async killPrimary({ lagMs }) {
      const node = await until('a primary', processes, () => findPrimary(nodes));
      const patroni = patronis.get(node)!;
      const postmaster = Number(readFileSync(join(node.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
      const ended = once(patroni, 'exit');
      stopThoseTitled('walsender', postmaster);
      await sleep(lagMs);
      killTree(patroni.pid!);
      killTree(postmaster);
      const killedAt = performance.now();
      await ended;
      return { node, killedAt };
    },
    async startNode(node) {
      patronis.set(node, processes.start(node.name, programs.patroni, [join(folder, `${node.name}.json`)]));
    },
    async untilSynchronous() {
      await until('a synchronous standby', processes, async () => {
        const primary = await findPrimary(nodes);
        const others = nodes.filter((node) => node !== primary);
        const areSynchronous = await Promise.all(others.map((node) => isAt(node, '/sync')));
        return primary && areSynchronous.includes(true) && (await hasSynchronousStandby(superuserUrl));
      });
    },
    end: () => processes.end(),
  };
  // The first node makes the database, which the second copies.
  await cluster.startNode(nodes[0]!);
  await until('a primary', processes, () => isAt(nodes[0]!, '/primary'));
  for (const node of nodes.slice(1)) await cluster.startNode(node);

  processes.start('haproxy', programs.haproxy, [
    '-db',
    '-f',
    processes.writeFile('haproxy.cfg', haproxyConfig(nodes, directPort)),
  ]);
  await createDatabase(url(nodes[0]!.port, 'postgres', 'postgres'));

  const port = await findFreePort();
  const databases = `${databaseName} = host=127.0.0.1 port=${directPort} user=${databaseUser}`;
  const config = pgbouncerConfig({ port, databases, poolSize: 10, folder });
  processes.start('pgbouncer', programs.pgbouncer, [processes.writeFile('pgbouncer.ini', config)]);
  cluster.url = url(port, databaseUser, databaseName);
  cluster.directUrl = url(directPort, databaseUser, databaseName);
  await until('PgBouncer', processes, () => answers(cluster.url));
  await cluster.untilSynchronous();
  return cluster;
}

async function startEtcd(processes: Processes, { etcd }: Programs): Promise<string> {
  const [url, peerUrl] = [await findFreePort(), await findFreePort()].map((port) => `http://127.0.0.1:${port}`);
  const args = {
    name: 'etcd',
    'data-dir': join(processes.makeFolder('etcd'), 'data'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd=${peerUrl}`,
    // A busy machine must not lose the only member of the cluster its lead.
    'heartbeat-interval': 500,
    'election-timeout': 5_000,
  };
  processes.start(
    'etcd',
    etcd,
    Object.entries(args).map(([name, value]) => `--${name}=${value}`),
  );
  await until('etcd', processes, async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok === true);
  return url!;
}

/** PgBouncer passes no settings of a session on, so the role has the limits that the server sets elsewhere. */
async function createDatabase(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE ROLE ${databaseUser} LOGIN`);
  await admin.query(`ALTER ROLE ${databaseUser} SET lock_timeout = '10s'`);
  await admin.query(`ALTER ROLE ${databaseUser} SET idle_in_transaction_session_timeout = '10s'`);
  await admin.query(`CREATE DATABASE ${databaseName} OWNER ${databaseUser} TEMPLATE template0`);
  await admin.end();
}

async function findPrimary(nodes: readonly PatroniNode[]): Promise<PatroniNode | undefined> {
  const arePrimary = await Promise.all(nodes.map((node) => isAt(node, '/primary')));
  return nodes[arePrimary.indexOf(true)];
}

/** Asks the primary itself, since Patroni's word may be older than a takeover. */
const hasSynchronousStandby = (url: string) => answers(url, "FROM pg_stat_replication WHERE sync_state = 'sync'");

/** Whether the database answers with a row. */
async function answers(url: string, from = ''): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(`SELECT 1 ${from}`)).rows.length > 0;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

async function until<Found>(
  what: string,
  processes: Processes,
  find: () => Promise<Found | undefined>,
): Promise<Found> {
  for (const giveUpAt = performance.now() + waitMsMax; ; await sleep(pollMs)) {
    const found = await find();
    if (found) return found;
    if (performance.now() > giveUpAt) throw new Error(`${what} did not come: ${processes.logs()}`);
  }
}
