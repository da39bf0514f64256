/**
 * The storage of a device as one value that can be copied at any moment: the rows of each collection and the log of the
 * journal. The tabs of a device share its disk. Each life of a device has its own disk, made from an image, so that a
 * dead process cannot write into it.
 */
import type { Mirror } from '../../../../client/client.ts';
import { mutex } from '../../../../client/core/mutex.ts';
import { JournalLog, type LogFile } from '../../../../client/storage/journal/log.ts';
import type { MutationBody, OutboxBody } from '../../../../client/storage/rows.ts';
import type { RowStoreFactory } from '../../../../client/storage/row-store.ts';
import { randomBelow, type Random } from '../../../random.ts';
import { openDiskRows, type DiskUser, type OpenRows, type SharedRows } from './disk-rows.ts';

export interface DiskImage {
  rows: ReadonlyMap<string, SharedRows>;
  /** The two files of the journal; undefined on a device without one. */
  log: readonly [Uint8Array, Uint8Array] | undefined;
}

/** A way in which a storage fails a write. */
export type StorageFault = 'full' | 'refusing' | 'hanging';

export const createEmptyImage = (hasLog: boolean): DiskImage => ({
  rows: new Map(),
  log: hasLog ? [new Uint8Array(), new Uint8Array()] : undefined,
});

export class Disk {
  readonly mirror: Mirror | undefined;
  /** Whether it ever hung, so that a round may wait for its watchdog though the disk works again. */
  hasHung = false;
  #fault: StorageFault | undefined;
  #tellWorking: () => void = () => {};
  #working: Promise<void> = Promise.resolve();
  readonly #collections = new Map<string, OpenRows>();
  readonly #files: [MemoryFile, MemoryFile] | undefined;

  constructor({ rows, log }: DiskImage) {
    for (const [key, shared] of rows) this.#collections.set(key, { rows: new Map(shared), listeners: new Map() });
    this.#files = log && [new MemoryFile(log[0]), new MemoryFile(log[1])];
    this.mirror = this.#files && journalOnLog(this.#files);
  }

  /** The storage as one tab has it open. */
  storageFor(user: DiskUser): RowStoreFactory {
    return {
      open: ({ name, version }) => {
        const key = `${name}|${version}`;
        const shared = this.#collections.get(key) ?? { rows: new Map(), listeners: new Map() };
        this.#collections.set(key, shared);
        return Promise.resolve(openDiskRows({ name, shared, user, ready: () => this.#ready() }));
      },
    };
  }

  /** The mutations in the outbox, as they are stored. */
  get mutations(): MutationBody[] {
    const outboxes = [...this.#collections].filter(([key]) => key.startsWith('outbox|'));
    const bodies = outboxes.flatMap(([, { rows }]) => [...rows.values()].map(({ body }) => body as OutboxBody | null));
    return bodies.flatMap((body) => (body?.kind === 'mutation' ? [body] : []));
  }

  /** Counts what is stored, and who listens to it. */
  get counts(): { rows: number; tombstones: number; journalBytes: number; listeners: number } {
    const collections = [...this.#collections.values()];
    const stored = collections.flatMap(({ rows }) => [...rows.values()]);
    const rows = stored.filter(({ body }) => body !== null).length;
    const users = collections.flatMap(({ listeners: each }) => [...each.values()]);
    const listeners = users.filter(({ faults }) => !faults.dead).length;
    const journalBytes = this.#files?.reduce((sum, file) => sum + file.read().length, 0) ?? 0;
    return { rows, tombstones: stored.length - rows, journalBytes, listeners };
  }

  get fault(): StorageFault | undefined {
    return this.#fault;
  }

  /** Writes that hang go on once the fault is over. */
  set fault(fault: StorageFault | undefined) {
    this.#fault = fault;
    this.#tellWorking();
    if (fault === 'hanging') this.hasHung = true;
    if (fault === 'hanging') this.#working = new Promise((resolve) => (this.#tellWorking = resolve));
  }

  /** The current content, whether the database is open or not. */
  get image(): DiskImage {
    const rows = new Map<string, SharedRows>();
    for (const [key, shared] of this.#collections) rows.set(key, new Map(shared.rows));
    return { rows, log: this.#files && [this.#files[0].read().slice(), this.#files[1].read().slice()] };
  }

  /** Fails or keeps a write, as the fault says. */
  #ready(): Promise<void> | undefined {
    if (this.#fault === 'full') throw new DOMException('the storage is full', 'QuotaExceededError');
    if (this.#fault === 'refusing') throw new Error('the storage refuses');
    return this.#fault === 'hanging' ? this.#working : undefined;
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
