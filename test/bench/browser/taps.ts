/** The time until a tap is durable, early and late in a recording, compared with a raw put of the same size. */
import { inPage } from '../../browser/in-page.ts';
import { openBrowserPage } from './browser-page.ts';
import { spreadOf } from '../measure.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';

/** The bench measures the taps around each of these steps. */
const measuredPlaces = [1, 100, 1_000];
const placeWidth = 20;

export async function measureTaps({ smoke, dataDir }: Setting): Promise<FigureTable> {
  const { page, close } = await openBrowserPage(dataDir('taps'));
  try {
    const rounds = smoke ? 1 : 6;
    const steps = smoke ? 120 : 1_000;
    const given = { rounds, steps, places: measuredPlaces.filter((place) => place <= steps), aroundPlace: placeWidth };
    const measured = await inPage(page, measureTapsAndPuts, given);
    return tableOf(measured);
  } finally {
    await close();
  }
}

interface TapsOptions {
  rounds: number;
  steps: number;
  places: number[];
  aroundPlace: number;
}

/** The milliseconds of the taps around each measured place, and of the raw put after each tap. */
type Measured = { place: number; taps: number[]; puts: number[] }[];

async function measureTapsAndPuts({ rounds, steps, places, aroundPlace }: TapsOptions): Promise<Measured> {
  const opening = indexedDB.open('raw', 1);
  opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore('rows', { keyPath: 'id' }));
  await new Promise((resolve) => void opening.addEventListener('success', resolve));
  const raw = opening.result;
  let puts = 0;
  const put = (stage_name: string) =>
    new Promise<void>((resolve, reject) => {
      const transaction = raw.transaction('rows', 'readwrite', { durability: 'strict' });
      const at = { wall_ms: Date.now(), monotonic_ms: performance.now(), boot_id: crypto.randomUUID() };
      const body = { kind: 'stepped', at, stage_name, work_type: null, notes: '' };
      transaction.objectStore('rows').put({ id: String(puts++), body });
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('error', () => reject(transaction.error as Error));
    });
  const msOf = async (work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  const measured = places.map((place) => ({ place, taps: [] as number[], puts: [] as number[] }));
  const gemba = await window.openGemba({ name: 'taps', url: location.href, token: 'none' });
  for (let round = 0; round < rounds; round++) {
    const recording = await gemba.startRecording({ newMap: { name: 'Receipt phase' } });
    for (let step = 1; step <= steps; step++) {
      const tapMs = await msOf(() => recording.step({ stage_name: `Stage ${step % 7}` }));
      const at = measured.find(({ place }) => step >= place - aroundPlace && step <= place + aroundPlace);
      if (!at) continue;
      at.taps.push(tapMs);
      at.puts.push(await msOf(() => put(`Stage ${step % 7}`)));
    }
    await recording.discard();
  }
  await gemba.close();
  return measured;
}

function tableOf(measured: Measured): FigureTable {
  const first = measured[0]!;
  return {
    title: 'Taps',
    about:
      'From a tap to its being durable, in Chromium, around the first, the 100th and the 1,000th step of a recording, in\n' +
      'milliseconds. A raw put writes a row of the same size into a database of its own, with strict durability, right after\n' +
      'each tap. Ratios are of medians.',
    head: ['step', 'p50', 'p99', 'raw p50', 'raw p99', 'p50 to raw', 'p50 to step 1'],
    rows: measured.map(({ place, taps, puts }) => [
      String(place),
      ...[taps, puts].flatMap((samples) => [shownMs(spreadOf(samples).median), shownMs(quantile(samples, 0.99))]),
      (spreadOf(taps).median / spreadOf(puts).median).toFixed(2),
      (spreadOf(taps).median / spreadOf(first.taps).median).toFixed(2),
    ]),
  };
}

const shownMs = (ms: number): string => spreadText({ median: ms, min: ms, max: ms }).split(' ')[0]!;

function quantile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
