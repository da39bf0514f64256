/** The bytes and the time that a device's sync takes over several lines: plain, compressed, and with effects of pushes. */
import { randomUUID } from 'node:crypto';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { filter, firstValueFrom } from 'rxjs';
import { openGemba, type Gemba } from '../../client/client.ts';
import type { AnyRxStorage } from '../rx-storage.ts';
import { openLine, type Line } from './line.ts';
import { measureSecs, ratioOf, spreadOf, takeTurns } from './measure.ts';
import { BenchDevice } from './recordings.ts';
import { pushOver, startServerProcess, type ServerProcess } from './server-process.ts';
import type { Setting } from './setting.ts';
import { spreadText, type FigureTable } from './table.ts';

/** The engine compresses nothing with a `fetch` of its own, and this one asks for responses as they are. */
const uncompressedFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), 'Accept-Encoding': 'identity' } });

const variants = { uncompressed: { fetch: uncompressedFetch }, compressed: { pushEffects: false }, effects: {} };
type Variant = keyof typeof variants;

const lines = {
  'no delay': { roundTripMs: 0, bytesPerSecMax: Number.POSITIVE_INFINITY },
  '60 ms': { roundTripMs: 60, bytesPerSecMax: Number.POSITIVE_INFINITY },
  '80 ms, 500 kB/s': { roundTripMs: 80, bytesPerSecMax: 500_000 },
};

const recordingCounts = [1, 100, 1_000];
const runCount = 1_000;

export async function measureDeviceLines({ smoke, dataDir }: Setting): Promise<FigureTable> {
  const server = await startServerProcess({ dataDir: dataDir('lines') });
  const line = await openLine(server.url, { defaultPort: 80 });
  const rows: string[][] = [];
  try {
    for (const [name, settings] of Object.entries(lines)) {
      Object.assign(line, settings);
      for (const count of smoke ? [1] : recordingCounts) {
        const work = {
          name: `${count} recording${count === 1 ? '' : 's'}`,
          run: (v: Variant) => drain(server, { line, variant: v, count }),
        };
        rows.push(...(await measureWork(work, { name, smoke })));
      }
      const filled = await filledAccount(server, smoke ? 50 : runCount);
      const work = { name: 'first sync', run: (v: Variant) => firstSync(filled, { line, variant: v }) };
      rows.push(...(await measureWork(work, { name, smoke })));
    }
  } finally {
    await line.close();
    await server.stop();
  }
  return {
    title: 'Device lines',
    about:
      `A device in Node with memory storage, on the embedded database: in step with the server, it sends recordings of six steps that it made offline,\n` +
      `and a new one pulls ${runCount} runs for the first time. Bytes count requests and responses with their headers.`,
    head: ['line', 'work', 'variant', 'kB up', 'kB down', 'milliseconds', 'to uncompressed'],
    rows,
  };
}

interface Work {
  name: string;
  run: (variant: Variant) => Promise<Sync>;
}

/** The time and the bytes of one sync. */
interface Sync {
  secs: number;
  up: number;
  down: number;
}

async function measureSync(line: Line, work: () => Promise<void>): Promise<Sync> {
  const before = { up: line.bytesUp, down: line.bytesDown };
  const secs = await measureSecs(work);
  return { secs, up: line.bytesUp - before.up, down: line.bytesDown - before.down };
}

async function measureWork(work: Work, { name, smoke }: { name: string; smoke: boolean }): Promise<string[][]> {
  const bytes: Record<Variant, { up: number[]; down: number[] }> = {
    uncompressed: { up: [], down: [] },
    compressed: { up: [], down: [] },
    effects: { up: [], down: [] },
  };
  const sample = (variant: Variant) => async () => {
    const { secs, up, down } = await work.run(variant);
    bytes[variant].up.push(up);
    bytes[variant].down.push(down);
    return secs;
  };
  const samples = await takeTurns(
    { uncompressed: sample('uncompressed'), compressed: sample('compressed'), effects: sample('effects') },
    { rounds: smoke ? 1 : 5 },
  );
  return (Object.keys(variants) as Variant[]).map((variant) => [
    name,
    work.name,
    variant,
    (spreadOf(bytes[variant].up).median / 1000).toFixed(1),
    (spreadOf(bytes[variant].down).median / 1000).toFixed(1),
    spreadText(spreadOf(samples[variant].map((secs) => secs * 1000))),
    spreadText(ratioOf(samples[variant], samples.uncompressed)),
  ]);
}

/** A device that has all records sends recordings that it made offline. */
async function drain(server: ServerProcess, { line, variant, count }: DrainCase): Promise<Sync> {
  const phone = await openPhone(line, variant, tokenOf(await server.newAccount()));
  const { map_id } = await phone.createMap({ name: 'Receipt phase' });
  await sync(phone);
  line.isUp = false;
  for (const recording of new BenchDevice().recordingBodies(count)) {
    await phone.importRecording({ mapId: map_id, recording });
  }
  line.isUp = true;
  const measured = await measureSync(line, () => sync(phone));
  await phone.close();
  return measured;
}

interface DrainCase {
  line: Line;
  variant: Variant;
  count: number;
}

/** A new device gets all runs. */
async function firstSync(token: string, { line, variant }: Omit<DrainCase, 'count'>): Promise<Sync> {
  let phone: Gemba | undefined;
  const measured = await measureSync(line, async () => {
    phone = await openPhone(line, variant, token);
    await sync(phone);
  });
  await phone?.close();
  return measured;
}

function openPhone({ url }: Line, variant: Variant, token: string): Promise<Gemba> {
  const storage = getRxStorageMemory() as AnyRxStorage;
  return openGemba({ name: `bench-${randomUUID()}`, url, token, storage, ...variants[variant] });
}

async function sync(phone: Gemba): Promise<void> {
  await phone.sync();
  await firstValueFrom(
    phone.status$.pipe(
      filter(({ phase, pending, last_synced_at }) => phase === 'idle' && pending === 0 && last_synced_at !== null),
    ),
  );
}

/** Returns the token of a new account with that many runs. */
async function filledAccount(server: ServerProcess, runs: number): Promise<string> {
  const headers = await server.newAccount();
  const device = new BenchDevice();
  await pushOver(server.url, headers, device.mapBatch());
  await pushOver(server.url, headers, device.recordings(runs));
  return tokenOf(headers);
}

const tokenOf = (headers: Record<string, string>): string => headers['Authorization']!.slice('Bearer '.length);
