/** Reads the state of the device's storage and of its journal. */
import { isoTime } from '../core/clock.ts';
import { logFileNames } from '../storage/journal/log.ts';
import { kindAndIdOf } from '../storage/rows.ts';
import type { InspectedEngine } from './inspected-engine.ts';
import type { JournalFacts, StorageFacts } from './shapes.ts';

export async function readStorage({ options, store }: InspectedEngine): Promise<StorageFacts> {
  const { quota, usage, isPersisted } = await readQuota();
  const records = [...store.records.entries()].map(([id]) => kindAndIdOf(id)[0]);
  const count = (kind: string) => records.filter((one) => one === kind).length;
  return {
    driver: driverOf(options.storage),
    collections: [
      { name: 'maps', rows: count('map') },
      { name: 'runs', rows: count('run') },
      { name: 'clients', rows: count('client') },
      { name: 'outbox', rows: countRows(store.outbox) },
      { name: 'drafts', rows: countRows(store.drafts) },
    ],
    quota,
    usage,
    is_persisted: isPersisted,
    problem: store.storageHealth.problem$.value?.code ?? null,
  };
}

/**
 * Reads the journal's state. `lastWriteSeen` is the latest write that the inspector saw. It is needed since not every
 * browser tells when open files were written.
 */
export async function readJournal(
  { options, store }: InspectedEngine,
  lastWriteSeen: string | null,
): Promise<JournalFacts> {
  const state = store.journal.state$.value;
  const files = await readJournalFiles(options.name);
  const times = [
    ...files.map(({ lastModified }) => isoTime(lastModified)),
    ...(lastWriteSeen === null ? [] : [lastWriteSeen]),
  ];
  return {
    state,
    rows: state === 'none' ? 0 : countRows(store.outbox) + countRows(store.drafts),
    written_at: times.toSorted().at(-1) ?? null,
    bytes: files.length === 0 ? null : files.reduce((sum, { size }) => sum + size, 0),
  };
}

const countRows = (table: { entries(): Iterable<unknown> }): number => [...table.entries()].length;

/** Returns the name of the storage driver. An app's row store without a name is called `rows`. */
function driverOf(storage: InspectedEngine['options']['storage']): string {
  if (!storage) return 'indexeddb';
  if ('open' in storage) return storage.driver ?? 'rows';
  return `rxdb:${storage.name}`;
}

async function readQuota() {
  const storage: Partial<StorageManager> = globalThis.navigator?.storage ?? {};
  const [estimate, isPersisted] = await Promise.all([
    storage.estimate?.().catch(() => undefined),
    storage.persisted?.().catch(() => undefined),
  ]);
  return { quota: estimate?.quota ?? null, usage: estimate?.usage ?? null, isPersisted: isPersisted ?? null };
}

/** Returns the journal's files in a browser. Returns none in Node, or in a browser that hides open files. */
async function readJournalFiles(deviceName: string): Promise<File[]> {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await (await root.getDirectoryHandle('gemba')).getDirectoryHandle(encodeURIComponent(deviceName));
    const handles = await Promise.all(logFileNames.map((name) => folder.getFileHandle(name)));
    return await Promise.all(handles.map((handle) => handle.getFile()));
  } catch {
    return [];
  }
}
