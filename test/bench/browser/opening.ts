/** The time that a device with many runs takes to open, compared with only reading its rows from IndexedDB. */
import { inPage } from '../../browser/in-page.ts';
import { openBrowserPage } from './browser-page.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure.ts';
import { BenchDevice } from '../recordings.ts';
import { pushOver, startServerProcess } from '../server-process.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';

const batchSize = 500;

export async function measureOpening({ smoke, dataDir }: Setting): Promise<FigureTable> {
  const runs = smoke ? 500 : 10_000;
  const server = await startServerProcess({ dataDir: dataDir('opening-server') });
  try {
    const headers = await server.newAccount();
    const device = new BenchDevice();
    await pushOver(server.url, headers, device.mapBatch());
    for (let sent = 0; sent < runs; sent += batchSize) {
      await pushOver(server.url, headers, device.recordings(batchSize));
    }
    const { page, close } = await openBrowserPage(dataDir('opening'), server.url);
    try {
      const token = headers['Authorization']!.replace('Bearer ', '');
      await inPage(page, pullAll, { token, runs });
      const samples = await takeTurns(
        {
          'raw read': () => inPage(page, measureRawReadMs, runs),
          engine: () => inPage(page, measureOpeningMs, runs),
        },
        { rounds: smoke ? 2 : 9 },
      );
      return {
        title: 'Opening',
        about:
          `Opening a device that holds ${runs} runs, in Chromium, until it shows all of them. The raw read opens the same IndexedDB\n` +
          'and gets the same rows in one request.',
        head: ['what', 'milliseconds', 'to raw read'],
        rows: Object.entries(samples).map(([what, ms]) => [
          what,
          spreadText(spreadOf(ms)),
          spreadText(ratioOf(ms, samples['raw read'])),
        ]),
      };
    } finally {
      await close();
    }
  } finally {
    await server.stop();
  }
}

async function pullAll({ token, runs }: { token: string; runs: number }): Promise<void> {
  const gemba = await window.openGemba({ name: 'opening', url: location.href, token });
  const [map] = await window.eventually(gemba.maps$, (maps) => maps.length > 0);
  await window.eventually(gemba.runs$(map!.id), ({ length }) => length === runs);
  await window.eventually(gemba.status$, ({ phase }) => phase === 'idle');
  await gemba.close();
}

async function measureOpeningMs(runs: number): Promise<number> {
  const begun = performance.now();
  // The device has no server, so only its own rows count.
  const fetch = () => Promise.reject(new TypeError('no network'));
  const gemba = await window.openGemba({ name: 'opening', url: location.href, fetch });
  const [map] = await window.current(gemba.maps$);
  const shownRuns = await window.current(gemba.runs$(map!.id));
  const ms = performance.now() - begun;
  await gemba.close();
  if (shownRuns.length !== runs) throw new Error(`${shownRuns.length} runs`);
  return ms;
}

async function measureRawReadMs(runs: number): Promise<number> {
  const all = await indexedDB.databases();
  const { name } = all.find((it) => /opening.*records/.test(it.name ?? ''))!;
  const done = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error as Error));
    });
  const begun = performance.now();
  const database = await done(indexedDB.open(name!));
  const rows = await done(database.transaction('docs').objectStore('docs').getAll());
  const ms = performance.now() - begun;
  database.close();
  if (rows.length < runs) throw new Error(`${rows.length} rows`);
  return ms;
}
