/** The cost that the journal adds to a tap, compared with other ways to keep a second copy. */
import type { Mirror } from '../../../client/client.ts';
import { inPage } from '../../browser/in-page.ts';
import { openBrowserPage } from './browser-page.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';

export async function measureSecondCopy({ smoke, dataDir }: Setting): Promise<FigureTable> {
  const taps = smoke ? 20 : 300;
  const { page, close } = await openBrowserPage(dataDir('second-copy'));
  try {
    const ms = await inPage(page, measureTaps, taps);
    return {
      title: 'Second copy',
      about:
        `From a tap to its being durable, in Chromium, over ${taps} taps of each of four devices that take turns, in milliseconds.\n` +
        'Ratios are of taps of the same turn.',
      head: ['second copy', 'milliseconds', 'to none'],
      rows: Object.entries(ms).map(([name, samples]) => [
        name,
        spreadText(spreadOf(samples)),
        spreadText(ratioOf(samples, ms.none)),
      ]),
    };
  } finally {
    await close();
  }
}

/** Milliseconds of each tap. */
type Samples = Record<'none' | 'log' | 'fileEachRow' | 'cacheStorage', number[]>;

async function measureTaps(taps: number): Promise<Samples> {
  const mirrorBy = (write: Mirror['write']): Mirror => ({
    exists: () => Promise.resolve(false),
    exchange: async (decide) => write((await decide(new Map())).changes),
    write,
    giveUp: () => {},
  });
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('rows', { create: true });
  const cache = await caches.open('rows');
  const mirrors = {
    none: mirrorBy(() => Promise.resolve()),
    log: undefined,
    fileEachRow: mirrorBy(async (changes) => {
      for (const [key, body] of changes) {
        const file = await folder.getFileHandle(encodeURIComponent(key), { create: true });
        const stream = await file.createWritable();
        await stream.write(JSON.stringify(body));
        await stream.close();
      }
    }),
    cacheStorage: mirrorBy(async (changes) => {
      for (const [key, body] of changes) {
        await cache.put(`/rows/${encodeURIComponent(key)}`, new Response(JSON.stringify(body)));
      }
    }),
  };
  const names = Object.keys(mirrors) as (keyof Samples)[];
  const recordings = await Promise.all(
    names.map(async (name) => {
      const mirror = mirrors[name];
      const gemba = await window.openGemba({ name, url: location.href, token: 'none', ...(mirror ? { mirror } : {}) });
      return gemba.startRecording({ newMap: { name: 'Receipt phase' } });
    }),
  );
  const samples: Samples = { none: [], log: [], fileEachRow: [], cacheStorage: [] };
  for (let tap = 0; tap < taps; tap++) {
    for (let turn = 0; turn < names.length; turn++) {
      const index = (tap + turn) % names.length;
      const begun = performance.now();
      await recordings[index]!.step({ stage_name: `Stage ${tap % 7}` });
      samples[names[index]!].push(performance.now() - begun);
    }
  }
  return samples;
}
