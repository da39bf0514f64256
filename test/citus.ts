/**
 * The Citus cluster of `TEST_CITUS_URL`, a URL of its coordinator. Tests on PostgreSQL then run on databases of this
 * cluster. Citus is in no registry that this project installs from, so without the variable no test needs it.
 */
import pg from 'pg';

export const citusUrl = process.env['TEST_CITUS_URL'];

/** Whether a test that looks at one node can run: at its catalogs, its plans, or its lock waits. */
export function onOneNode(what: string): boolean {
  if (citusUrl) process.stderr.write(`Skipped on Citus: ${what}\n`);
  return !citusUrl;
}

interface ClusterNode {
  host: string;
  port: number;
  isCoordinator: boolean;
}

/** Makes the database on each node, with the extension, and adds the nodes to its coordinator. */
export async function createCitusDatabase(coordinatorUrl: string, name: string): Promise<string> {
  const nodes = await runOn(coordinatorUrl, (client) => readNodes(client, coordinatorUrl));
  const urlOf = ({ host, port, isCoordinator }: ClusterNode, database: string) => {
    const url = new URL(coordinatorUrl);
    if (!isCoordinator) [url.hostname, url.port] = [host, String(port)];
    url.pathname = `/${database}`;
    return url.href;
  };
  const adminDatabase = new URL(coordinatorUrl).pathname.slice(1);
  for (const node of nodes) {
    await runOn(urlOf(node, adminDatabase), (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
    await runOn(urlOf(node, name), (client) => client.query('CREATE EXTENSION citus'));
  }
  const [coordinator, ...workers] = nodes;
  if (!coordinator || workers.length === 0) throw new Error('TEST_CITUS_URL names no coordinator with workers');
  const url = urlOf(coordinator, name);
  await runOn(url, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await client.query('SELECT citus_add_node($1, $2)', [host, port]);
  });
  return url;
}

/** Reads the nodes as the coordinator's own database knows them, the coordinator first. */
async function readNodes(client: pg.Client, coordinatorUrl: string): Promise<ClusterNode[]> {
  const { rows } = await client.query<{ groupid: number; nodename: string; nodeport: number }>(
    "SELECT groupid, nodename, nodeport FROM pg_dist_node WHERE isactive AND noderole = 'primary' ORDER BY groupid",
  );
  const nodes = rows.map(({ groupid, nodename, nodeport }) => ({
    host: nodename,
    port: nodeport,
    isCoordinator: groupid === 0,
  }));
  if (nodes[0]?.isCoordinator) return nodes;
  const { hostname, port } = new URL(coordinatorUrl);
  return [{ host: hostname, port: Number(port || 5432), isCoordinator: true }, ...nodes];
}

async function runOn<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
