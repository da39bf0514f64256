/** Measures a tap and a first sync of a device in Node on each storage. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { filter, firstValueFrom } from 'rxjs';
import { openGemba, type Gemba, type Mirror, type SuppliedStorage } from '../../client/client.ts';
import { fileMirror, nodeStorage } from '../../client/entries/node.ts';
import { dexieRowStores } from '../../client/storage/dexie-row-store.ts';
import { StorageHealth } from '../../client/storage/storage-health.ts';
import { measureSecs, ratioOf, spreadOf, takeTurns } from './measure.ts';
import { BenchDevice } from './recordings.ts';
import { pushOver, startServerProcess } from './server-process.ts';
import type { Setting } from './setting.ts';
import { spreadText, type FigureTable } from './table.ts';

interface Place {
  storage: SuppliedStorage;
  mirror?: Mirror;
}

type Variant = 'RxDB in memory' | 'fake-indexeddb' | 'SQLite' | 'SQLite, second copy';

export async function measureStorages({ smoke, dataDir }: Setting): Promise<FigureTable> {
  const server = await startServerProcess({ dataDir: dataDir('storages') });
  const folder = dataDir('devices');
  const places: Record<Variant, () => Place> = {
    'RxDB in memory': () => ({ storage: getRxStorageMemory() as unknown as SuppliedStorage }),
    'fake-indexeddb': () => ({ storage: indexedDbStorage() }),
    SQLite: () => ({ storage: nodeStorage(join(folder, `${randomUUID()}.db`)) }),
    'SQLite, second copy': () => ({
      storage: nodeStorage(join(folder, `${randomUUID()}.db`)),
      mirror: fileMirror(join(folder, randomUUID())),
    }),
  };
  const runs = smoke ? 50 : 10_000;
  try {
    const headers = await server.newAccount();
    const device = new BenchDevice();
    await pushOver(server.url, headers, device.mapBatch());
    for (let pushed = 0; pushed < runs; pushed += runsPerPush) {
      await pushOver(server.url, headers, device.recordings(Math.min(runsPerPush, runs - pushed)));
    }
    const token = headers['Authorization']!.slice('Bearer '.length);
    const work: Record<string, (place: Place) => Promise<number>> = {
      [`a tap, mean of ${tapsPerSample}`]: (place) => tapSecs({ ...place, url: offlineUrl }),
      [`a first sync of ${runs} runs`]: (place) => firstSyncSecs({ ...place, url: server.url, token }),
    };
    const rows: string[][] = [];
    for (const [name, measure] of Object.entries(work))
      rows.push(...(await measureWork(name, { places, measure, smoke })));
    return {
      title: 'Storages',
      about: `A device in Node on each storage, on one disk. fake-indexeddb and the memory keep nothing. SQLite flushes each write.`,
      head: ['work', 'storage', 'milliseconds', 'to the memory'],
      rows,
    };
  } finally {
    await server.stop();
  }
}

const runsPerPush = 1_000;
const tapsPerSample = 200;
const offlineUrl = 'http://127.0.0.1:1';

interface Work {
  places: Record<Variant, () => Place>;
  measure: (place: Place) => Promise<number>;
  smoke: boolean;
}

async function measureWork(name: string, { places, measure, smoke }: Work): Promise<string[][]> {
  const variants = Object.keys(places) as Variant[];
  const sample = (variant: Variant) => [variant, () => measure(places[variant]())] as const;
  const samples = await takeTurns(
    Object.fromEntries(variants.map((variant) => sample(variant))) as Record<Variant, () => Promise<number>>,
    { rounds: smoke ? 1 : 5 },
  );
  return variants.map((variant) => [
    name,
    variant,
    spreadText(spreadOf(samples[variant].map((secs) => secs * 1000))),
    spreadText(ratioOf(samples[variant], samples['RxDB in memory'])),
  ]);
}

const open = (options: Place & { url: string; token?: string }): Promise<Gemba> =>
  openGemba({ name: `bench-${randomUUID()}`, ...options });

async function tapSecs(options: Place & { url: string }): Promise<number> {
  const phone = await open(options);
  const recording = await phone.startRecording({ newMap: { name: 'Receipt phase' } });
  const secs = await measureSecs(async () => {
    for (let tap = 0; tap < tapsPerSample; tap++) await recording.step({ stage_name: `Step ${tap}` });
  });
  await phone.close();
  return secs / tapsPerSample;
}

async function firstSyncSecs(options: Place & { url: string; token: string }): Promise<number> {
  let phone: Gemba | undefined;
  const secs = await measureSecs(async () => {
    phone = await open(options);
    await phone.sync();
    await firstValueFrom(
      phone.status$.pipe(filter(({ phase, last_synced_at }) => phase === 'idle' && last_synced_at !== null)),
    );
  });
  await phone?.close();
  return secs;
}

/** The driver of browsers on an IndexedDB in memory. */
function indexedDbStorage(): SuppliedStorage {
  const dependencies = { indexedDB: new IDBFactory(), IDBKeyRange };
  return dexieRowStores({ databaseName: 'bench', health: new StorageHealth(), dependencies });
}
