/** A first pull of many runs, compared with a raw fetch of the same bytes from a server that does nothing else. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { filter, firstValueFrom } from 'rxjs';
import { openGemba } from '../../client/client.ts';
import type { AnyRxStorage } from '../rx-storage.ts';
import type { PullResponse } from '../../shared/protocol/pull.ts';
import { startChildServer } from './child-server.ts';
import { ratioOf, measureSecs, spreadOf, takeTurns } from './measure.ts';
import { BenchDevice } from './recordings.ts';
import { pushOver, startServerProcess } from './server-process.ts';
import type { Setting } from './setting.ts';
import { spreadText, type FigureTable } from './table.ts';

type Headers = Record<string, string>;

export async function measurePull({ smoke, dataDir, postgresUrl }: Setting): Promise<FigureTable> {
  const runs = smoke ? 500 : 10_000;
  const rows: string[][] = [];
  rows.push(...(await measureOnDatabase('embedded', { runs, smoke, dataDir })));
  if (postgresUrl) {
    rows.push(...(await measureOnDatabase('PostgreSQL', { runs, smoke, dataDir, databaseUrl: await postgresUrl() })));
  }
  return {
    title: 'Pull',
    about:
      `All of an account of ${runs} runs, from an empty cursor, in pages of 1,000. The raw fetch gets the same bytes in as many\n` +
      'requests from a server that only holds them, and parses them too. The engine also stores them (in memory) and builds its\n' +
      'view; it asks for pages of its own size.',
    head: ['database', 'what', 'milliseconds', 'to raw fetch'],
    rows,
  };
}

interface PullCase extends Omit<Setting, 'postgresUrl'> {
  runs: number;
  databaseUrl?: string;
}

async function measureOnDatabase(
  database: string,
  { runs, smoke, dataDir, databaseUrl }: PullCase,
): Promise<string[][]> {
  const folder = dataDir('pull');
  const server = await startServerProcess({ dataDir: folder, ...(databaseUrl ? { databaseUrl } : {}) });
  try {
    const headers = await server.newAccount();
    await pushRecordings(server.url, headers, runs);
    const pages = await pull(server.url, headers);
    const file = join(folder, 'pages.json');
    writeFileSync(file, JSON.stringify(pages));
    const raw = await startChildServer([join(import.meta.dirname, 'raw-server.ts'), file]);
    const samples = await takeTurns(
      {
        'raw fetch': () => measureSecs(() => fetchRawPages(raw.url, pages.length)),
        pull: () => measureSecs(() => pull(server.url, headers)),
        engine: () => measureEngineSecs(server.url, headers),
      },
      { rounds: smoke ? 2 : 7 },
    );
    await raw.stop();
    return Object.entries(samples).map(([what, secs]) => [
      database,
      what,
      spreadText(spreadOf(secs.map((one) => 1000 * one))),
      spreadText(ratioOf(secs, samples['raw fetch'])),
    ]);
  } finally {
    await server.stop();
  }
}

const runsPerPush = 500;

async function pushRecordings(url: string, headers: Headers, runs: number): Promise<void> {
  const device = new BenchDevice();
  await pushOver(url, headers, device.mapBatch());
  for (let made = 0; made < runs; made += runsPerPush) {
    await pushOver(url, headers, device.recordings(Math.min(runsPerPush, runs - made)));
  }
}

/** Pulls all pages and returns their bytes. */
async function pull(url: string, headers: Headers): Promise<string[]> {
  const pages: string[] = [];
  const client_id = randomUUID();
  let page: PullResponse = { changes: [], cursor: '', has_more: true, epoch: '', account_id: '' };
  while (page.has_more) {
    const query = new URLSearchParams({ client_id, cursor: page.cursor, limit: '1000' });
    const response = await fetch(`${url}/api/v1/sync/pull?${query}`, { headers });
    if (!response.ok) throw new Error(`pull: ${response.status} ${await response.text()}`);
    const text = await response.text();
    page = JSON.parse(text) as PullResponse;
    pages.push(text);
  }
  return pages;
}

async function fetchRawPages(url: string, pages: number): Promise<void> {
  for (let page = 0; page < pages; page += 1) JSON.parse(await (await fetch(`${url}/${page}`)).text());
}

/** Returns the seconds that the engine needs to pull everything. */
async function measureEngineSecs(url: string, headers: Headers): Promise<number> {
  const storage = getRxStorageMemory() as AnyRxStorage;
  const token = headers['Authorization']!.slice('Bearer '.length);
  const started = performance.now();
  const gemba = await openGemba({ name: `bench-${randomUUID()}`, url, token, storage });
  await firstValueFrom(
    gemba.status$.pipe(filter(({ phase, last_synced_at }) => phase === 'idle' && last_synced_at !== null)),
  );
  const secs = (performance.now() - started) / 1000;
  await gemba.close();
  return secs;
}
