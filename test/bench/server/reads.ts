/** GET of a map over HTTP, with and without the log, beside Express with helmet and Node alone on the same document. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChildServer, type ChildServer } from '../child-server.ts';
import { ratioOf, spreadOf, takeTurns, type Samples } from '../measure.ts';
import { startServerProcess, type ServerProcess } from '../server-process.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';
import { measureRequestsPerSec } from './http-load.ts';

const connections = 32;
const stagesOfMap = 12;

/** Requests a second in each round, by server. `postgres` is absent where there is no PostgreSQL. */
export type ReadFigures = Samples<'log' | 'noLog' | 'express' | 'http'> & { postgres?: number[] };

export async function measureReadFigures(setting: Setting): Promise<ReadFigures> {
  const { smoke, dataDir, postgresUrl } = setting;
  const requests = smoke ? 200 : 5_000;
  const databaseUrl = await postgresUrl?.();
  const folder = dataDir('reads');
  const servers = {
    log: await startServerProcess({ dataDir: dataDir('reads'), logFile: join(folder, 'requests.log') }),
    noLog: await startServerProcess({ dataDir: dataDir('reads') }),
    ...(databaseUrl ? { postgres: await startServerProcess({ dataDir: dataDir('reads'), databaseUrl }) } : {}),
  };
  const started: ChildServer[] = Object.values(servers);
  try {
    const targets: Record<string, ReadTarget> = {};
    for (const [name, server] of Object.entries(servers)) targets[name] = await makeMap(server);
    const file = join(folder, 'map.json');
    writeFileSync(file, await fetchText(targets['noLog']!));
    for (const kind of ['express', 'http']) {
      const server = await startChildServer([join(import.meta.dirname, 'bare-server.ts'), kind, file]);
      started.push(server);
      targets[kind] = { ...targets['noLog']!, url: `${server.url}/api/v1/maps/1` };
    }
    const variants = Object.entries(targets).map(([name, target]) => [
      name,
      () => measureRequestsPerSec({ ...target, connections, requests }),
    ]);
    return (await takeTurns(Object.fromEntries(variants), { rounds: smoke ? 2 : 7 })) as ReadFigures;
  } finally {
    for (const server of started) await server.stop();
  }
}

export async function measureReads(setting: Setting): Promise<FigureTable> {
  const figures = await measureReadFigures(setting);
  const { express } = figures;
  const rowOf = (name: string, samples: number[]) => [
    name,
    spreadText(spreadOf(samples)),
    spreadText(ratioOf(samples, express)),
  ];
  return {
    title: 'Reads',
    about: `GET of a map of ${stagesOfMap} stages on ${connections} connections. Express with helmet and Node alone hold the same document in memory,\nand know no tokens, limits, log or database.`,
    head: ['server', 'requests a second', 'to Express with helmet'],
    rows: [
      rowOf('Gemba, a log line a request', figures.log),
      rowOf('Gemba, no log', figures.noLog),
      ...(figures.postgres ? [rowOf('Gemba, no log, PostgreSQL', figures.postgres)] : []),
      rowOf('Express with helmet', express),
      rowOf('Node alone', figures.http),
    ],
  };
}

interface ReadTarget {
  url: string;
  headers: Record<string, string>;
}

async function makeMap(server: ServerProcess): Promise<ReadTarget> {
  const headers = await server.newAccount();
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const map = await post('/api/v1/maps', { name: 'Order to delivery' });
  const path = `/api/v1/maps/${map.id}`;
  for (let number = 1; number <= stagesOfMap; number++) await post(`${path}/stages`, { stage: `Stage ${number}` });
  return { url: server.url + path, headers };
}

async function fetchText({ url, headers }: ReadTarget): Promise<string> {
  return (await fetch(url, { headers })).text();
}
