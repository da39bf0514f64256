/**
 * The storage of a device as one value that can be copied at any moment: the rows of each collection and the log of the
 * journal. Each life of a device has its own disk, made from an image, so that a dead process cannot write into it.
 */
import { getMemoryCollectionKey, getRxStorageMemory, type RxStorageInstanceMemory } from 'rxdb/plugins/storage-memory';
import type { DeviceStorage, Mirror } from '../../../client/client.ts';
import { mutex } from '../../../client/core/mutex.ts';
import { randomBelow, type Random } from '../../random.ts';
import { JournalLog, type LogFile } from '../../../client/storage/journal/log.ts';

type Instance = RxStorageInstanceMemory<{ id: string }>;
type StoredRow = Instance['internals']['documents'] extends Map<string, infer Stored> ? Stored : never;

export interface DiskImage {
  rows: ReadonlyMap<string, readonly StoredRow[]>;
  /** The two files of the journal; undefined on a device without one. */
  log: readonly [Uint8Array, Uint8Array] | undefined;
}

/** A way in which a storage fails a write. */
export type StorageFault = 'full' | 'refusing' | 'hanging';

export const createEmptyImage = (hasLog: boolean): DiskImage => ({
  rows: new Map(),
  log: hasLog ? [new Uint8Array(), new Uint8Array()] : undefined,
});

/** Counts the disks of this process, since each database needs a name of its own. */
let disks = 0;

export class Disk {
  readonly storage: DeviceStorage;
  readonly mirror: Mirror | undefined;
  #fault: StorageFault | undefined;
  #tellWorking: () => void = () => {};
  #working: Promise<void> = Promise.resolve();
  readonly #image: DiskImage;
  readonly #name = `disk-${++disks}`;
  readonly #instances = new Map<string, Instance>();
  readonly #files: [MemoryFile, MemoryFile] | undefined;

  constructor(image: DiskImage) {
    this.#image = image;
    this.#files = image.log && [new MemoryFile(image.log[0]), new MemoryFile(image.log[1])];
    this.mirror = this.#files && journalOnLog(this.#files);
    const memory = getRxStorageMemory();
    this.storage = {
      ...(memory as unknown as DeviceStorage),
      createStorageInstance: async (params) => {
        const opened = { ...params, databaseName: this.#name };
        const instance = await memory.createStorageInstance(opened as never);
        await this.#load(instance as never, params.collectionName, params.schema.version);
        return instance as never;
      },
    };
  }

  get fault(): StorageFault | undefined {
    return this.#fault;
  }

  /** Writes that hang go on once the fault is over. */
  set fault(fault: StorageFault | undefined) {
    this.#fault = fault;
    this.#tellWorking();
    if (fault === 'hanging') this.#working = new Promise((resolve) => (this.#tellWorking = resolve));
  }

  /** The current content, whether the database is open or not. */
  get image(): DiskImage {
    const rows = new Map(this.#image.rows);
    for (const [key, instance] of this.#instances) {
      // The memory storage adds its last write to its documents only at the next use.
      if (!instance.closed) instance.ensurePersistence();
      rows.set(key, [...instance.internals.documents.values()]);
    }
    return { rows, log: this.#files && [this.#files[0].read().slice(), this.#files[1].read().slice()] };
  }

  async #load(instance: Instance, collectionName: string, version: number): Promise<void> {
    const key = `${collectionName}|${version}`;
    const rows = this.#image.rows.get(key) ?? [];
    if (rows.length > 0) {
      const writes = rows.map((document) => ({ document }));
      const { error } = await instance.bulkWrite(writes, 'disk');
      if (error.length > 0) throw new Error(`${error.length} rows of ${key} were not loaded`);
    }
    this.#instances.set(key, instance);
    const bulkWrite = instance.bulkWrite.bind(instance);
    instance.bulkWrite = async (...write) => {
      if (this.#fault === 'full') throw new DOMException('the storage is full', 'QuotaExceededError');
      if (this.#fault === 'refusing') throw new Error('the storage refuses');
      if (this.#fault === 'hanging') await this.#working;
      return bulkWrite(...write);
    };
    const close = instance.close.bind(instance);
    // The memory storage keeps closed databases, which would be too many for thousands of disks.
    instance.close = async () => {
      instance.storage.collectionStates.delete(getMemoryCollectionKey(this.#name, collectionName, version));
      await close();
    };
  }
}

/** Cuts the end off the longer file, as a crash does in the middle of a write. */
export function tornLog([first, second]: readonly [Uint8Array, Uint8Array], random: Random): DiskImage['log'] {
  const torn = (file: Uint8Array) => file.slice(0, Math.max(0, file.length - 1 - randomBelow(random, tornBytesMax)));
  return first.length > second.length ? [torn(first), second] : [first, torn(second)];
}

const tornBytesMax = 40;

class MemoryFile implements LogFile {
  #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(): Uint8Array {
    return this.#bytes;
  }

  write(bytes: Uint8Array, at: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length, at + bytes.length));
    grown.set(this.#bytes);
    grown.set(bytes, at);
    this.#bytes = grown;
  }

  flush(): void {}

  empty(): void {
    this.#bytes = new Uint8Array();
  }
}

function journalOnLog(files: [LogFile, LogFile]): Mirror {
  const inTurn = mutex();
  const log = new JournalLog(files);
  return {
    exists: () => Promise.resolve(log.rows.size > 0),
    write: (changes) => inTurn(async () => log.write({ changes })),
    exchange: (decide) => inTurn(async () => log.write(await decide(log.rows))),
    giveUp: () => {},
  };
}
