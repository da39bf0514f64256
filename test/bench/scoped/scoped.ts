/** The first sync of a phone with a scope, and requests, while its account grows to 1,000,000 runs. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgresPid } from '../../fleet-load/measure/postgres-pid.ts';
import { openLine } from '../line.ts';
import { measureSecs, spreadOf, takeTurns } from '../measure.ts';
import { startServerProcess } from '../server-process.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';
import { makeGrowingAccount } from './growing-account.ts';
import type { PhoneFigures } from './phone.ts';
import { measureProcessorMs, msText, type MeasuredProcesses } from './processor-ms.ts';
import { measureRequests } from './reads-of-account.ts';

const lines = {
  'no delay': { roundTripMs: 0, bytesPerSecMax: Number.POSITIVE_INFINITY },
  '80 ms, 500 kB/s': { roundTripMs: 80, bytesPerSecMax: 500_000 },
};
type LineName = keyof typeof lines;

const mapCount = 200;
const stepCount = 12;
const runsMax = 2_000;
/** The account's runs arrive over a year. */
const yearMs = 365 * 86_400_000;

/** How large the accounts become, smallest first. */
const sizes = [10_000, 100_000, 1_000_000];

/** `only` may name sizes and databases, such as `100000` and `embedded`. */
export async function measureScoped(
  { smoke, dataDir, postgresUrl }: Setting,
  only: readonly string[],
): Promise<FigureTable[]> {
  const sizesNamed = only.map(Number).filter((size) => size > 0);
  const growth = smoke ? [1_000] : sizesNamed.length > 0 ? sizesNamed : sizes;
  const syncs: string[][] = [];
  const requests: string[][] = [];
  const databases = [
    { database: 'embedded', dataDir: dataDir('scoped') },
    ...(postgresUrl ? [{ database: 'PostgreSQL', dataDir: dataDir('scoped'), databaseUrl: await postgresUrl() }] : []),
  ];
  const named = databases.filter(({ database }) => only.includes(database));
  for (const where of named.length > 0 ? named : databases) {
    const msPerRun = yearMs / growth.at(-1)!;
    const shape = {
      maps: smoke ? 20 : mapCount,
      stepCount,
      msPerRun,
      pushedRunsMax: growth[0]!,
      startMs: Date.now() - yearMs,
    };
    const account = await makeGrowingAccount({ ...where, ...shape });
    for (const size of growth) {
      const secs = await measureSecs(() => account.growTo(size));
      console.error(`${where.database}: ${size} runs after ${secs.toFixed(0)} s more`);
      const measured = await measureSize({ ...where, token: account.token, smoke });
      const head = [where.database, String(size)];
      syncs.push(...measured.syncs.map((row) => [...head, ...row]));
      requests.push(...measured.requests.map((row) => [...head, ...row]));
    }
  }
  return [firstSyncTable(syncs), requestTable(requests)];
}

const firstSyncTable = (rows: string[][]): FigureTable => ({
  title: 'First sync of a phone with a scope',
  about:
    `A new phone pulls the newest ${runsMax} runs of ${stepCount} steps and all ${mapCount} maps, each time in a new process of Node that has compiled\n` +
    'nothing yet, with memory storage. Bytes count requests and responses with their headers; the heap is what the process\n' +
    'holds afterwards, its code included, and the peak the most memory that it had. The times of phone,\n' +
    'server and PostgreSQL are those of a processor, which other work on the machine changes less.',
  head: [
    'database',
    'runs',
    'line',
    'ms',
    'runs here',
    'kB down',
    'phone, ms',
    'heap, MB',
    'peak, MB',
    'server, ms',
    'PostgreSQL, ms',
  ],
  rows,
});

const requestTable = (rows: string[][]): FigureTable => ({
  title: 'Requests to a large account',
  about:
    'One after another on a connection that is open. The last columns are the time of a processor that the server and\n' +
    'PostgreSQL took for each.',
  head: ['database', 'runs', 'request', 'ms', 'server, ms', 'PostgreSQL, ms'],
  rows,
});

interface SizeCase {
  dataDir: string;
  databaseUrl?: string;
  token: string;
  smoke: boolean;
}

async function measureSize({ token, smoke, ...where }: SizeCase): Promise<{ syncs: string[][]; requests: string[][] }> {
  const server = await startServerProcess(where);
  try {
    const { databaseUrl } = where;
    const postgresPid = databaseUrl === undefined ? undefined : await findPostgresPid(databaseUrl);
    const processes = { serverPid: server.pid, postgresPid };
    const { url } = server;
    return {
      syncs: await measureFirstSyncs({ ...processes, url, token, rounds: smoke ? 1 : 7 }),
      requests: await measureRequests({ ...processes, url, token, runsMax, stepCount, count: smoke ? 2 : 200 }),
    };
  } finally {
    await server.stop();
  }
}

interface SyncCase extends MeasuredProcesses {
  url: string;
  token: string;
  rounds: number;
}

interface FirstSync extends PhoneFigures {
  bytesDown: number;
  server: number;
  postgres: number;
}

async function measureFirstSyncs({ url, token, rounds, ...processes }: SyncCase): Promise<string[][]> {
  const line = await openLine(url, { defaultPort: 80 });
  const taken: Record<LineName, FirstSync[]> = { 'no delay': [], '80 ms, 500 kB/s': [] };
  const sampleOn = (name: LineName) => async () => {
    Object.assign(line, lines[name]);
    const before = line.bytesDown;
    let figures: PhoneFigures | undefined;
    const used = await measureProcessorMs(processes, async () => (figures = await startPhone(line.url, token)));
    taken[name].push({ ...figures!, ...used, bytesDown: line.bytesDown - before });
    return figures!.ms;
  };
  const names = Object.keys(lines) as LineName[];
  const samples = await takeTurns(
    { 'no delay': sampleOn('no delay'), '80 ms, 500 kB/s': sampleOn('80 ms, 500 kB/s') },
    { rounds },
  );
  await line.close();
  return names.map((name) => {
    const median = (of: (sync: FirstSync) => number) => spreadOf(taken[name].map(of)).median;
    return [
      name,
      spreadText(spreadOf(samples[name])),
      String(median(({ runs }) => runs)),
      (median(({ bytesDown }) => bytesDown) / 1_000).toFixed(0),
      median(({ processorMs }) => processorMs).toFixed(0),
      (median(({ heapBytes }) => heapBytes) / 1e6).toFixed(1),
      (median(({ peakBytes }) => peakBytes) / 1e6).toFixed(0),
      msText(median(({ server }) => server)),
      msText(median(({ postgres }) => postgres)),
    ];
  });
}

async function startPhone(url: string, token: string): Promise<PhoneFigures> {
  const program = join(import.meta.dirname, 'phone.ts');
  const args = ['--expose-gc', '--import', 'tsx', program, url, token, String(runsMax)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as PhoneFigures;
}
