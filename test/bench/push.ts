/** Recordings per second through `POST /sync/push`, in batches of several sizes, on each database. */
import { ratioOf, measureSecs, spreadOf, takeTurns, type Sample } from './measure.ts';
import { BenchDevice } from './recordings.ts';
import { pushOver, startServerProcess, type ServerProcess } from './server-process.ts';
import { spreadText, type FigureTable } from './table.ts';
import type { Setting } from './setting.ts';

/** Batch sizes, each with the number of batches that makes a sample of reasonable length. */
const batchCountBySize = { 1: 150, 10: 50, 100: 15 };

export async function measurePush({ smoke, dataDir, postgresUrl }: Setting): Promise<FigureTable> {
  const servers: Record<string, ServerProcess> = { embedded: await startServerProcess({ dataDir: dataDir('push') }) };
  if (postgresUrl) {
    servers['PostgreSQL'] = await startServerProcess({ dataDir: dataDir('push-pg'), databaseUrl: await postgresUrl() });
  }
  try {
    const variants: Record<string, Sample> = {};
    for (const [database, server] of Object.entries(servers)) {
      for (const [size, batches] of Object.entries(batchCountBySize)) {
        const load = { size: Number(size), batches: smoke ? 3 : batches };
        variants[`${database}, ${size}`] = () => measureThroughput(server, load);
      }
    }
    const samples = await takeTurns(variants, { rounds: smoke ? 2 : 7 });
    const rows = Object.entries(samples).map(([name, perSec]) => {
      const [database, size] = name.split(', ') as [string, string];
      const single = samples[`${database}, 1`]!;
      const embedded = samples[`embedded, ${size}`]!;
      return [
        database,
        size,
        spreadText(spreadOf(perSec)),
        spreadText(ratioOf(perSec, single)),
        spreadText(ratioOf(perSec, embedded)),
      ];
    });
    return {
      title: 'Push',
      about:
        'Recordings of six steps, applied a second by one device over HTTP, the server in a process of its own. Each commit is\n' +
        'on the disk before it is answered (SQLite: synchronous=FULL; PostgreSQL: fsync and synchronous_commit on).',
      head: ['database', 'batch', 'recordings/s', 'to batches of 1', 'to embedded'],
      rows,
    };
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

/** Each sample has a new account, so that all begin with the same data. */
async function measureThroughput(
  server: ServerProcess,
  { size, batches }: { size: number; batches: number },
): Promise<number> {
  const headers = await server.newAccount();
  const device = new BenchDevice();
  await pushOver(server.url, headers, device.mapBatch());
  const requests = Array.from({ length: batches }, () => device.recordings(size));
  const secs = await measureSecs(async () => {
    for (const request of requests) await pushOver(server.url, headers, request);
  });
  return (size * batches) / secs;
}
