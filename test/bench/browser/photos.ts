/** Taps and syncs of a device with 200 unsent photos, compared with those of a device without photos. */
import type { ScopedGemba } from '../../../client/client.ts';
import { inPage } from '../../browser/in-page.ts';
import { sampleJpeg } from '../../photo-samples.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import { startServerProcess } from '../server-process.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';
import { openBrowserPage } from './browser-page.ts';

export async function measurePhotos({ smoke, dataDir }: Setting): Promise<FigureTable> {
  const server = await startServerProcess({ dataDir: dataDir('photos-server') });
  const { page, close } = await openBrowserPage(dataDir('photos'), server.url);
  try {
    const tokenOfNewAccount = async () => (await server.newAccount())['Authorization']!.replace('Bearer ', '');
    const tokens = { none: await tokenOfNewAccount(), with200: await tokenOfNewAccount() };
    const given = {
      tokens,
      jpegBase64: sampleJpeg.toString('base64'),
      photos: smoke ? 20 : 200,
      photoBytes: smoke ? 20_000 : 300_000,
      rounds: smoke ? 2 : 12,
      taps: 20,
    };
    return tableOf(await inPage(page, measureInPage, given), given.photos);
  } finally {
    await close();
    await server.stop();
  }
}

interface PhotosOptions {
  tokens: { none: string; with200: string };
  jpegBase64: string;
  photos: number;
  photoBytes: number;
  rounds: number;
  taps: number;
}

/** Milliseconds of each round, by what the device with photos does meanwhile. */
interface Samples {
  tap: number[];
  sync: number[];
}
type Measured = Record<'held' | 'sending', { none: Samples; with200: Samples }> & { unsentAtEnd: number };

async function measureInPage(options: PhotosOptions): Promise<Measured> {
  const { tokens, jpegBase64, photos, photoBytes, rounds, taps } = options;
  const sample = Uint8Array.from(atob(jpegBase64), (character) => character.codePointAt(0)!);
  const picture = () => {
    const filler = crypto.getRandomValues(new Uint8Array(60_000)).map((byte) => Math.min(byte, 254));
    const parts = Array.from({ length: Math.ceil(photoBytes / filler.length) }, () => filler);
    return new Blob([sample.slice(0, -2), ...parts, sample.slice(-2)], { type: 'image/jpeg' });
  };
  const encoder = { encode: async (photo: Blob) => ({ photo, thumbnail: null, width: 3, height: 2 }) };
  const open = (name: string, token: string) =>
    window.openGemba({ name, url: location.origin, token, photos: { encoder } }) as Promise<ScopedGemba>;
  const devices = { none: await open('none', tokens.none), with200: await open('with200', tokens.with200) };
  const record = async (device: ScopedGemba, steps: number) => {
    const recording = await device.startRecording({ newMap: { name: crypto.randomUUID() } });
    const times: number[] = [];
    for (let step = 0; step < steps; step++) {
      const begun = performance.now();
      await recording.step({ stage_name: `Stage ${step}` });
      times.push(performance.now() - begun);
    }
    return { recording, times };
  };
  const photographed = devices.with200;
  await photographed.setPhotoPolicy('ask');
  const { recording } = await record(photographed, 1);
  for (let photo = 0; photo < photos; photo++) {
    if (photo > 0 && photo % 20 === 0) await recording.step({ stage_name: `Photos ${photo}` });
    await recording.photo(picture());
  }
  await recording.finish();
  await window.eventually(photographed.photos$, ({ pending, held_by }) => pending === photos && held_by === 'metered');

  const takeSample = async (device: ScopedGemba, samples: Samples) => {
    const made = await record(device, taps);
    const begun = performance.now();
    await made.recording.finish();
    await window.eventually(device.status$, ({ pending, phase }) => pending === 0 && phase === 'idle');
    samples.sync.push(performance.now() - begun);
    samples.tap.push(made.times.toSorted((a, b) => a - b)[taps >> 1]!);
  };
  const takeTurns = async () => {
    const samples = { none: { tap: [], sync: [] }, with200: { tap: [], sync: [] } } as Record<
      keyof typeof devices,
      Samples
    >;
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['none', 'with200'] as const) : (['with200', 'none'] as const);
      for (const name of order) await takeSample(devices[name], samples[name]);
    }
    return samples;
  };
  await takeTurns();
  const held = await takeTurns();
  await photographed.setPhotoPolicy('always');
  const sending = await takeTurns();
  const { pending } = await window.current(photographed.photos$);
  await devices.none.close();
  await photographed.close();
  return { held, sending, unsentAtEnd: pending };
}

function tableOf({ held, sending, unsentAtEnd }: Measured, photos: number): FigureTable {
  const row = (title: string, { none, with200 }: Measured['held'], what: keyof Samples) => [
    title,
    spreadText(spreadOf(none[what])),
    spreadText(spreadOf(with200[what])),
    spreadText(ratioOf(with200[what], none[what])),
  ];
  return {
    title: 'Photos',
    about:
      `A device with ${photos} unsent photos beside one without, in Chromium, in turns, in milliseconds: the median tap of a\n` +
      'recording of 20 steps, and from its finish to its being settled. The photos are held back, then being sent; of those\n' +
      `${unsentAtEnd} were unsent at the end. Ratios are of the same round.`,
    head: ['', 'without', 'with', 'ratio'],
    rows: [
      row('tap, photos held', held, 'tap'),
      row('sync, photos held', held, 'sync'),
      row('tap, photos being sent', sending, 'tap'),
      row('sync, photos being sent', sending, 'sync'),
    ],
  };
}
